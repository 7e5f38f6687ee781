// Processes that end, and starts that fail, without any process.
import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import { keepRunning, type ProcessPlace } from '../../../models/inference/keep-running.ts';
import type { InferenceProcess } from '../../../models/inference/process.ts';
import { until } from '../../support/until.ts';

interface FakeProcess extends InferenceProcess {
  end(): void;
}

/** Ready at once, until it ends. */
function fakeProcess(): FakeProcess {
  const exited = Promise.withResolvers<void>();
  return {
    ready: Promise.resolve(),
    exited: exited.promise,
    run: () => Promise.resolve(),
    kill: exited.resolve,
    end: exited.resolve,
  };
}

test('a process that cannot be started is not the one that has ended', async (t) => {
  const first = fakeProcess();
  const second = fakeProcess();
  const place: ProcessPlace = { process: first, ready: false };
  let starts = 0;
  let closed = false;
  /** Whether the place was ready, by what it had. */
  const readyWith: InferenceProcess[] = [];
  const start = (): InferenceProcess => {
    starts += 1;
    if (starts < 3) throw new Error('EAGAIN');
    return second;
  };
  const onReady = (): void => void readyWith.push(place.process);
  const kept = keepRunning(place, { start, onReady, isClosed: () => closed });
  await until(() => place.ready);
  first.end();
  await until(() => starts === 1);
  await setImmediate();
  t.false(place.ready);
  await until(() => place.ready);
  t.deepEqual(readyWith, [first, second]);
  t.is(starts, 3);
  closed = true;
  second.end();
  await kept;
});
