// How the processes of the service end when set-up, npm and a terminal ask them all at once.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import test from 'ava';
import type { Patch } from '../support/patches.ts';
import { testStack, untilReady } from '../support/stack.ts';
import { until } from '../support/until.ts';

/** Each signal comes a second time, at the same moment. */
const forwarded = (file: string): readonly Patch[] => [
  { file: 'bin/process/key-presses.ts', from: 'performance.now()', to: '0' },
  {
    file,
    from: '\nsetV8Flags();',
    to: `
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => setImmediate(() => process.kill(process.pid, signal)));
setV8Flags();`,
  },
];

/** @returns the exit code and the signal by which it ended */
async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<readonly unknown[]> {
  const exit = once(child, 'exit');
  child.kill(signal);
  return exit;
}

test('a signal that is forwarded too lets the workers end in order', async (t) => {
  const stack = await testStack(t, { worker: false });
  const [streamWorker, worker] = await Promise.all([
    stack.startStreamWorker(forwarded('bin/stream-worker.ts')),
    stack.startWorker(forwarded('bin/worker.ts')),
  ]);
  await untilReady(stack);
  t.deepEqual(await ended(streamWorker, 'SIGINT'), [0, null]);
  t.deepEqual(await ended(worker, 'SIGTERM'), [0, null]);
});

test('a signal that is forwarded too does not end the time in which an API leaves', async (t) => {
  const apiEnvironment = { SVC_DRAIN_SECONDS: '300' };
  const stack = await testStack(t, { worker: false, apiEnvironment });
  const { base, child } = await stack.startApi(forwarded('bin/api.ts'));
  child.kill('SIGINT');
  const missing = (): Promise<string> =>
    fetch(`${base}/readyz`).then((answer) => answer.text(), String);
  await until(missing, (text) => /process \(stopping\)|failed/.test(text));
  for (let i = 0; i < 5; i += 1) {
    t.is(await fetch(`${base}/livez`).then(({ status }) => status, String), 200);
  }
  child.kill('SIGKILL');
});

test('an API ends when the set-up that started it is killed', async (t) => {
  const stack = await testStack(t, { worker: false });
  const { child } = await stack.startApi();
  const exit = once(child, 'exit');
  child.disconnect();
  t.deepEqual(await exit, [0, null]);
});
