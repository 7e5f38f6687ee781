// Ctrl-C at `svc bulk`: what a terminal, set-up and npm each send is one press.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { keyPresses } from '../../../bin/process/key-presses.ts';
import { scriptedServer } from '../../support/scripted-server.ts';
import { withDirectory } from '../../support/speech.ts';
import { svcCommand } from '../../support/svc.ts';
import { until } from '../../support/until.ts';

const counts = { total: 1, completed: 0, failed: 0, cancelled: 0 };
const batch = { id: 'batch_1', status: 'in_progress', request_counts: counts, progress: 0.5 };

/** As set-up does, to a process that the terminal has signalled already. */
const forward =
  'process.once("SIGINT", () => setImmediate(() => process.kill(process.pid, "SIGINT")));' +
  'performance.now = () => 0';

test('a signal that is forwarded too does not take the summary', async (t) => {
  const answers = [{ body: { id: 'file-1' } }, { body: batch }];
  const { baseUrl, received } = await scriptedServer(t, answers);
  await withDirectory(async (folder) => {
    await writeFile(join(folder, 'a.wav'), 'sound');
    const options = ['--out', join(folder, 'out'), '--base', baseUrl, '--key', 'k'];
    const [program, args] = svcCommand('bulk', folder, ...options);
    const whole = ['--import', `data:text/javascript,${encodeURIComponent(forward)}`, ...args];
    const svc = spawn(program, whole, { stdio: ['ignore', 'ignore', 'pipe'] });
    t.teardown(() => svc.kill('SIGKILL'));
    const told = text(svc.stderr);
    // File, batch, and the first question how far it is.
    await until(() => received.length > 2);
    svc.kill('SIGINT');
    t.deepEqual(await once(svc, 'close'), [130, null]);
    t.regex(await told, /^0 analysed, .*, 1 left\nBatches that were created go on on the service/);
  });
});

test.serial('signals are one press for a moment, and then another', (t) => {
  let nowMs = 5_000;
  performance.now = () => nowMs;
  t.teardown(() => Reflect.deleteProperty(performance, 'now'));
  const press = keyPresses();
  const told = [0, 1, 600, 100].map((laterMs) => {
    nowMs += laterMs;
    return press();
  });
  t.deepEqual(told, ['first', 'same', 'same', 'later']);
});
