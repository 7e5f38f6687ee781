// A process in the sandbox, with another user and a root of its own, finds its code compiled.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { compiledCode } from '../../../models/sandbox/compiled-code.ts';
import { findSandbox } from '../../../models/sandbox/detect.ts';
import { candidates, noIsolation } from '../../../models/sandbox/isolation.ts';

const run = promisify(execFile);
const program = join(import.meta.dirname, 'cached-start.ts');
const script = join(import.meta.dirname, 'first-priority.ts');
const root = join(import.meta.dirname, '../../..');
const code = [join(root, 'models/sandbox/channel.ts'), join(root, 'package.json')];

test('a process in the sandbox strips no types that were stripped before', async (t) => {
  const { isolation } = findSandbox([script, ...code]);
  if (!isolation.namespaces) {
    t.log('skipped: this machine gives no namespaces');
    return t.pass();
  }
  const folder = await mkdtemp(join(tmpdir(), 'svc-test-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const env = { ...process.env, NODE_COMPILE_CACHE: folder };
  // It fails, because it has no parent, but is loaded.
  const load = `await import(${JSON.stringify(pathToFileURL(script).href)}).catch(() => {})`;
  await run(process.execPath, ['--input-type=module', '--eval', load], { env });
  const report = async (): Promise<readonly string[]> => {
    const { stdout } = await run(process.execPath, [program, script, ...code], { env });
    return stdout.split('\n').filter((line) => line.includes(' for StrippedTypeScript '));
  };
  if (isolation.ownUser) {
    const unreadable = await report();
    t.true(unreadable.some((line) => line.includes('permission denied')));
  }
  await run('chmod', ['-R', 'a+rX', folder]);
  const lines = await report();
  const read = lines.filter((line) => line.includes('reading cache from /compiled/'));
  t.is(read.length, 2, lines.join('\n'));
  for (const line of read) t.regex(line, /success, size=\d+$/);
});

test('without mounts of its own a process gets no cache', (t) => {
  t.deepEqual(compiledCode(noIsolation, 61_200), { environment: {} });
  const without = candidates(true).filter(({ namespaces }) => !namespaces);
  t.is(without.length, 3);
  for (const isolation of without) {
    t.deepEqual(compiledCode(isolation, 61_200), { environment: {} });
  }
});
