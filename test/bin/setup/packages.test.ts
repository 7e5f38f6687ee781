// The lock pins what npm installs on Linux by its hash, Node included.
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { until } from '../../support/until.ts';

interface Lock {
  readonly packages: Readonly<Record<string, object>>;
}
type Unpinned = (lock: Lock, machine: { platform: string; arch: string }) => readonly string[];

const root = join(import.meta.dirname, '../../..');
const module = pathToFileURL(join(root, 'bin/setup/packages.mjs')).href;
const { installationsIn, unpinned, wholeLock } = (await import(module)) as {
  installationsIn: (folder: string) => readonly number[];
  unpinned: Unpinned;
  wholeLock: readonly string[];
};
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

function aFolder(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-packages-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** What a person, or an administrator, may have told npm. */
const configurations = [
  { npm_config_omit: 'dev', npm_config_engine_strict: 'true' },
  { npm_config_omit: 'optional', npm_config_location: 'global' },
  { npm_config_global: 'true', npm_config_dry_run: 'true' },
  { npm_config_package_lock: 'false', npm_config_package_lock_only: 'true' },
];

test('npm installs the whole lock here, whatever it is configured to do', async (t) => {
  const folder = aFolder(t);
  for (const name of ['needed', 'dev', 'optional']) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'package.json'), `{"name":"${name}","version":"1.0.0"}`);
  }
  const manifest = {
    engines: { node: '>=999' },
    dependencies: { needed: 'file:needed' },
    devDependencies: { dev: 'file:dev' },
    optionalDependencies: { optional: 'file:optional' },
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const npm = (args: readonly string[], more = {}) =>
    promisify(execFile)('npm', [...args, '--offline', '--no-audit', '--no-fund'], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, ...more },
    });
  await npm(['install', '--package-lock-only']);
  for (const more of configurations) {
    await npm(['ci', ...wholeLock], more);
    const installed = readdirSync(join(folder, 'node_modules'));
    t.deepEqual(
      installed.filter((name) => !name.startsWith('.')),
      ['dev', 'needed', 'optional'],
      JSON.stringify(more),
    );
    rmSync(join(folder, 'node_modules'), { recursive: true });
  }
});

test('an installation that still runs in the folder is found', async (t) => {
  if (process.platform !== 'linux') return t.pass();
  const folder = aFolder(t);
  t.deepEqual(installationsIn(folder), []);
  // As npm names itself.
  const script = 'process.title = "npm ci --no-audit"; setInterval(() => {}, 1000)';
  const child = spawn(process.execPath, ['-e', script], { cwd: folder, stdio: 'ignore' });
  t.teardown(() => child.kill());
  const found = await until(
    () => installationsIn(folder),
    (pids) => pids.length > 0,
  );
  t.deepEqual(found, [child.pid!]);
  t.deepEqual(installationsIn(aFolder(t)), []);
});
