// The lock pins what npm installs on Linux by its hash, Node included.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';

interface Lock {
  readonly packages: Readonly<Record<string, object>>;
}
type Unpinned = (lock: Lock, machine: { platform: string; arch: string }) => readonly string[];

const root = join(import.meta.dirname, '../../..');
const module = pathToFileURL(join(root, 'bin/setup/packages.mjs')).href;
const { unpinned } = (await import(module)) as { unpinned: Unpinned };
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;

/** Their versions are those that their parents name; `npm ci` rejects a lock without them. */
const nativeFamilies = /^(@oxc-parser\/binding|@oxlint\/binding|@oxlint-tsgolint|@swc\/core)[-/]/;

test('npm verifies every package that it installs on Linux, Node included', (t) => {
  for (const arch of ['x64', 'arm64']) {
    t.deepEqual(unpinned(lock, { platform: 'linux', arch }), []);
    t.true(`node_modules/node-linux-${arch}` in lock.packages);
  }
});

test('packages without a hash are native ones of other platforms, and known', (t) => {
  const platforms = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
  const machines = platforms.flatMap((platform) =>
    ['arm', 'arm64', 'ia32', 'ppc64', 'riscv64', 's390x', 'x64'].map((arch) => ({
      platform,
      arch,
    })),
  );
  const names = machines.flatMap((machine) => unpinned(lock, machine));
  t.deepEqual(
    names.filter((name) => !nativeFamilies.test(name)),
    [],
  );
  const all = Object.entries(lock.packages).filter(
    ([path, entry]) => path !== '' && !('integrity' in entry),
  );
  t.true(all.every(([, entry]) => 'optional' in entry && 'os' in entry));
  t.true(all.length <= 44, 'no more than were known when this was written');
});

test('a package without a hash is found where it would be installed', (t) => {
  const made = {
    packages: {
      '': {},
      'node_modules/a': {},
      'node_modules/b': { integrity: 'sha512-' },
      'node_modules/c': { os: ['darwin'], cpu: 'arm64' },
      'node_modules/a/node_modules/@d/e': { os: 'linux', libc: ['musl'] },
    },
  };
  t.deepEqual(unpinned(made, { platform: 'linux', arch: 'x64' }), ['a']);
  t.deepEqual(unpinned(made, { platform: 'darwin', arch: 'arm64' }), ['a', 'c']);
});
