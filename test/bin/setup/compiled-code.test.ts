// What set-up compiles: every module of the service, and no process finds one missing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';

interface CompiledCode {
  readonly compileSources: (cache: string) => Promise<void>;
  readonly sources: () => readonly string[];
}

const root = join(import.meta.dirname, '../../..');
const module = pathToFileURL(join(root, 'bin/setup/compiled-code.mjs')).href;
const { compileSources, sources } = (await import(module)) as CompiledCode;

test('every module is compiled, none is run, and a process strips no types', async (t) => {
  const cache = await mkdtemp(join(tmpdir(), 'svc-test-'));
  t.teardown(() => rm(cache, { recursive: true }));
  // A role that started would want its settings; a module that imports what there is not fails.
  await compileSources(cache);
  const [folder = ''] = readdirSync(cache);
  // Without its types, and compiled.
  t.true(readdirSync(join(cache, folder)).length >= 2 * sources().length);
  for (const entry of ['bin/svc.ts', 'bin/worker.ts', 'models/inference/child.ts']) {
    const reading = await readingOf(cache, entry);
    t.true(reading.length > 30, entry);
    t.deepEqual(
      reading.filter((line) => !/success, size=\d+$/.test(line)),
      [],
    );
  }
});

/**
 * What Node reports of the types that the process needed stripped; without settings it ends. By way
 * of a file: Node does not wait for a full pipe, so a busy reader would miss parts of lines.
 */
async function readingOf(cache: string, entry: string): Promise<readonly string[]> {
  const path = join(cache, 'reported');
  const report = await open(path, 'w');
  const env = { NODE_COMPILE_CACHE: cache, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' };
  const child = spawn(process.execPath, [join(root, entry), '--version'], {
    env,
    stdio: ['ignore', 'ignore', report.fd],
  });
  await once(child, 'close');
  await report.close();
  return (await readFile(path, 'utf8'))
    .split('\n')
    .filter((line) => /reading cache from .* for StrippedTypeScript /.test(line));
}
