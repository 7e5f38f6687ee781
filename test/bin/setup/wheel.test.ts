// Reading wheels: the files of a real zip are read back unchanged; a broken one is rejected.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test, { type ExecutionContext } from 'ava';

type ReadWheelEntries = (paths: readonly string[], names: readonly string[]) => Buffer[];

// Set-up is plain JavaScript without types, because it runs before TypeScript can.
const module = pathToFileURL(join(import.meta.dirname, '../../../bin/setup/wheel.mjs')).href;
const { readWheelEntries } = (await import(module)) as { readWheelEntries: ReadWheelEntries };

const small = Buffer.from('tokens');
const large = Buffer.from('abcdefgh'.repeat(50_000));

function aWheel(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-wheel-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'small.bin'), small);
  writeFileSync(join(folder, 'large.bin'), large);
  const wheel = join(folder, 'a.whl');
  const script =
    'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED); ' +
    'z.write("small.bin", "p/small.bin", zipfile.ZIP_STORED); ' +
    'z.write("large.bin", "p/large.bin"); z.close()';
  execFileSync('python3', ['-c', script, wheel], { cwd: folder });
  return wheel;
}

test('stored and deflated files are read completely, in the requested order', (t) => {
  const entries = readWheelEntries([aWheel(t)], ['p/large.bin', 'p/small.bin']);
  t.true(entries[0]?.equals(large));
  t.true(entries[1]?.equals(small));
});

test('a file that is missing from the wheel is named', (t) => {
  const wheel = aWheel(t);
  t.throws(() => readWheelEntries([wheel], ['p/other.bin']), { message: /p\/other\.bin/ });
});

test('a truncated wheel is rejected', (t) => {
  const wheel = aWheel(t);
  truncateSync(wheel, Math.floor(readFileSync(wheel).length / 2));
  t.throws(() => readWheelEntries([wheel], ['p/small.bin']), { message: /download is broken/ });
});
