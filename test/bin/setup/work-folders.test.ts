// Downloads that are interrupted leave nothing in the cache, and nothing that counts as a model.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import type { Cleanup } from '../../support/cleanup.ts';
import { until } from '../../support/until.ts';

const setup = (name: string): string =>
  pathToFileURL(join(import.meta.dirname, '../../../bin/setup', name)).href;
const { removeAbandoned } = (await import(setup('work-folders.mjs'))) as {
  removeAbandoned: (parent: string) => void;
};
const { modelFiles } = (await import(setup('packed-weights.mjs'))) as {
  modelFiles: (directory: string) => readonly string[];
};

function temporaryFolder(t: Cleanup): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-work-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Downloads without an end, as pip and npm write: some files at a time. */
const script = `
  const { exitOnSignals, run } = await import(${JSON.stringify(setup('processes.mjs'))});
  const { inWorkFolder } = await import(${JSON.stringify(setup('work-folders.mjs'))});
  exitOnSignals();
  await inWorkFolder('cache/.pull-', (work) =>
    run('sh', ['-c', 'i=0; while :; do i=$((i+1)); echo > $i; done'], { cwd: work }));
`;

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`a download that ${signal} interrupts is removed`, async (t) => {
    const cwd = temporaryFolder(t);
    const cache = join(cwd, 'cache');
    mkdirSync(cache);
    const args = ['--input-type=module', '-e', script];
    const child = spawn(process.execPath, args, { cwd, stdio: 'ignore' });
    t.teardown(() => child.kill('SIGKILL'));
    await until(() => readdirSync(cache, { recursive: true }).length > 3);
    child.kill(signal);
    await once(child, 'exit');
    t.deepEqual(readdirSync(cache), []);
  });
}

test('what a power cut left is removed after a day, and what is in work stays', (t) => {
  const cache = temporaryFolder(t);
  const old = new Date(Date.now() - 2 * 86_400_000);
  const names = ['.pull-left', '.install-left', '.build-left', 'whisper-base', '.pull-new'];
  for (const name of names) {
    mkdirSync(join(cache, name));
    writeFileSync(join(cache, name, 'file'), '');
    if (name !== '.pull-new') utimesSync(join(cache, name), old, old);
  }
  removeAbandoned(cache);
  t.deepEqual(readdirSync(cache).sort(), ['.pull-new', 'whisper-base']);
  t.deepEqual(modelFiles(cache), [join('whisper-base', 'file')]);
  t.notThrows(() => removeAbandoned(join(cache, 'none')));
});
