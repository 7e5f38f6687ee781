// What an API says of a storage that is slow, full or silent.
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { createBackgroundCheck } from '../../../api/health/background-check.ts';
import { createStorageCheck } from '../../../api/health/storage-check.ts';
import { until } from '../../support/until.ts';

/** A request that ends when the test says so, or when it is aborted. */
function heldRequest() {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  return {
    end: resolve,
    until: (signal: AbortSignal | undefined) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
      return promise;
    },
  };
}

/** @returns functions that ask once, and as often as it takes for the state */
function asking(probes: Parameters<typeof createStorageCheck>[0]) {
  const check = createStorageCheck(probes, 100);
  const ask = async () => (await check()).state;
  return { ask, untilSaid: (state: string) => until(ask, (said) => said === state) };
}

const answers = async () => {};

test('a storage that takes seconds to write is ready, with one write at a time', async (t) => {
  const held = heldRequest();
  let writes = 0;
  const { ask } = asking({
    ping: answers,
    requireWritable: (signal) => ((writes += 1) === 2 ? held.until(signal) : answers()),
  });
  const states = new Set<string>();
  const asked = async () => {
    states.add(await ask());
    return writes;
  };
  await until(asked, (count) => count === 2);
  for (let times = 0; times < 5; times += 1) await asked();
  t.is(writes, 2);
  held.end();
  await until(asked, (count) => count === 3);
  t.deepEqual([...states], ['ok']);
});

test('a storage that takes seconds to answer is ready, a silent one is not', async (t) => {
  const held = heldRequest();
  const signals: (AbortSignal | undefined)[] = [];
  let isSilent = false;
  let writes = 0;
  const { ask, untilSaid } = asking({
    ping: (signal) => {
      if (signals.push(signal) === 2) return held.until(signal);
      return isSilent ? heldRequest().until(signal) : answers();
    },
    requireWritable: async () => void (writes += 1),
  });
  t.is(await ask(), 'ok');
  for (let times = 0; times < 5; times += 1) t.is(await ask(), 'ok');
  t.is(signals.length, 2, 'one at a time');
  held.end();
  t.is(await ask(), 'ok');
  isSilent = true;
  await untilSaid('timeout');
  t.true(signals.some((signal) => signal!.aborted));
  isSilent = false;
  await untilSaid('ok');
  t.true(writes >= 1);
});

test('a storage that becomes full is found, and is not filled by asking', async (t) => {
  let isFull = false;
  let writes = 0;
  const { ask, untilSaid } = asking({
    ping: answers,
    requireWritable: async () => {
      writes += 1;
      if (isFull) throw new Error('no space left');
    },
  });
  t.is(await ask(), 'ok');
  isFull = true;
  await untilSaid('not writable');
  const before = writes;
  const times = 100;
  for (let asked = 0; asked < times; asked += 1) t.is(await ask(), 'not writable');
  t.true(writes - before < times / 10, `${writes - before} writes`);
  isFull = false;
  await untilSaid('ok');
});

test('a run that is late is aborted and told, one that is cancelled says nothing', async (t) => {
  const signals: AbortSignal[] = [];
  const check = createBackgroundCheck(
    (signal) => {
      signals.push(signal);
      return sleep(signals.length === 1 ? 0 : 600_000, undefined, { signal });
    },
    { limitMs: 300, restMs: 0, retryMs: 0 },
  );
  t.is((await check.outcome(10_000)).state, 'ok');
  t.is((await check.outcome(0)).state, 'ok');
  check.cancel();
  t.true(signals[1]!.aborted);
  t.is((await check.outcome(0)).state, 'ok', 'the last that is known');
  t.is((await check.outcome(600_000)).state, 'timeout');
  t.true(signals[2]!.aborted);
  t.is(signals.length, 3);
});
