// What a killed process leaves on disk is removed by the next one; what living ones have is not.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import test, { type ExecutionContext } from 'ava';
import {
  openProcessFolder,
  withFolder,
  type ProcessFolder,
} from '../../../activities/decoder/process-folder.ts';

const module = new URL('../../../activities/decoder/process-folder.ts', import.meta.url).href;

async function aDisk(t: ExecutionContext, ...within: readonly string[]): Promise<string> {
  const disk = await mkdtemp(join(tmpdir(), 'svc-test-'));
  t.teardown(() => rm(disk, { recursive: true, force: true }));
  const folder = join(disk, ...within);
  await mkdir(folder, { recursive: true });
  return folder;
}

async function here(t: ExecutionContext, disk: string): Promise<ProcessFolder> {
  const folder = await openProcessFolder(disk, (error) => t.fail(String(error)));
  t.teardown(() => folder.close());
  return folder;
}

/** Another process that has a recording in its folder. @returns its path */
async function elsewhere(
  t: ExecutionContext,
  disk: string,
): Promise<{ readonly child: ChildProcess; readonly path: string }> {
  const source = `
    import { writeFileSync } from 'node:fs';
    import { openProcessFolder } from ${JSON.stringify(module)};
    const { path } = await openProcessFolder(${JSON.stringify(disk)}, console.error);
    writeFileSync(path + '/upload', 'audio');
    setInterval(() => {}, 1_000);
    console.log(path);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  const [path] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { child, path };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

test('folders of killed processes are removed at a start, those of living ones stay', async (t) => {
  const disk = await aDisk(t);
  const own = await here(t, disk);
  await writeFile(join(own.path, 'upload'), 'audio');
  const [killed, busy] = await Promise.all([elsewhere(t, disk), elsewhere(t, disk)]);
  // A process that does not run now is none that is gone.
  busy.child.kill('SIGSTOP');
  await here(t, disk);
  t.deepEqual(await readdir(killed.path), ['alive', 'upload']);
  await end(killed.child, 'SIGKILL');
  t.deepEqual(await readdir(killed.path), ['alive', 'upload'], 'nothing else removes them');
  await Promise.all([here(t, disk), here(t, disk)]);
  await t.throwsAsync(readdir(killed.path), { code: 'ENOENT' });
  for (const { path } of [own, busy]) t.deepEqual(await readdir(path), ['alive', 'upload']);
});

test('other folders and those that are being made stay, a closed one is removed', async (t) => {
  const disk = await aDisk(t);
  const others = ['process', 'svc-abc', 'svc-starting-abc'];
  for (const name of others) await mkdir(join(disk, name));
  await writeFile(join(disk, 'svc-process-file'), '');
  const folder = await here(t, disk);
  const made = await withFolder(folder.path, async (path) => {
    await writeFile(join(path, 'upload'), 'audio');
    return path;
  });
  await t.throwsAsync(readdir(made), { code: 'ENOENT' });
  await folder.close();
  t.deepEqual((await readdir(disk)).sort(), [...others, 'svc-process-file'].sort());
});

test('the path may be longer than the address of a socket', async (t) => {
  if (process.platform !== 'linux') return t.pass('there is no other way to its folder');
  const disk = await aDisk(t, 'x'.repeat(120), 'y'.repeat(120));
  const own = await here(t, disk);
  const { child, path } = await elsewhere(t, disk);
  await end(child, 'SIGKILL');
  await here(t, disk);
  await t.throwsAsync(readdir(path), { code: 'ENOENT' });
  t.deepEqual(await readdir(own.path), ['alive']);
});
