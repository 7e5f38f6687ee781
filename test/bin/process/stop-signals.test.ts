// The signals that ask a process to stop: a second Ctrl-C ends it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import test from 'ava';

const folder = join(import.meta.dirname, '..', '..', '..', 'bin', 'process');
const module = JSON.stringify(pathToFileURL(join(folder, 'stop-signals.ts')).href);

/** A process for which seconds pass between two signals. */
const script = `
const { askedToStop } = await import(${module});
let seconds = 0;
performance.now = () => 1_000 * (seconds += 1);
setInterval(() => {}, 1_000);
askedToStop().then(() => console.log('stopping'));
console.log('serving');`;

test('the same signal once more, later, ends the process; another one does not', async (t) => {
  const args = ['--input-type=module', '-e', script];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  t.teardown(() => child.kill('SIGKILL'));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  t.is((await lines.next()).value, 'serving');
  child.kill('SIGTERM');
  t.is((await lines.next()).value, 'stopping');
  const exit = once(child, 'exit');
  // The system delivers the lower number first.
  child.kill('SIGINT');
  child.kill('SIGTERM');
  t.deepEqual(await exit, [null, 'SIGTERM']);
});
