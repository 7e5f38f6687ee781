// A group of clips that is stopped: what has been analysed is settled, unless its batch was
// cancelled.
import { mock } from 'node:test';
import { ActivityCancellationDetails, CancelledFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { aClipGroup } from '../../support/clip-group.ts';
import { createFakePool } from '../../support/fake-pool.ts';
import { settled } from '../../support/scripted-pool.ts';
import { until } from '../../support/until.ts';

/** A pool that stops the activity once, when two of three clips are analysed. */
function stoppingPool(reason: keyof ActivityCancellationDetails) {
  const environment = new MockActivityEnvironment();
  const healthy = createFakePool();
  let stopped = false;
  const pool = createFakePool({
    analyze: async (pcm, request, options) => {
      if (pcm.includes(30) && !stopped) {
        stopped = true;
        while (healthy.of('analyze').length < 2) await settled();
        environment.cancel(undefined, new ActivityCancellationDetails({ [reason]: true }));
        options.signal?.throwIfAborted();
      }
      return healthy.analyze(pcm, request, options);
    },
  });
  return { environment, pool, healthy };
}

for (const reason of ['timedOut', 'workerShutdown', 'notFound'] as const) {
  test(`${reason}: what is analysed is settled once, the rest is analysed again`, async (t) => {
    const { environment, pool, healthy } = stoppingPool(reason);
    const group = await aClipGroup(t, pool);
    await t.throwsAsync(group.analyze(environment), { instanceOf: CancelledFailure });
    t.deepEqual(await group.states(), ['completed', 'completed', 'running']);
    t.deepEqual(await group.debitedSeconds(), [2, 2]);
    t.is(group.completed(), 2);
    t.deepEqual(await group.analyze(), { long: [], done: 3 });
    t.deepEqual(await group.states(), ['completed', 'completed', 'completed']);
    t.deepEqual(await group.debitedSeconds(), [2, 2, 2]);
    t.is(group.completed(), 3);
    t.is(healthy.of('analyze').length, 3);
  });
}

test('after a cancellation nothing more is charged', async (t) => {
  const { environment, pool } = stoppingPool('cancelRequested');
  const group = await aClipGroup(t, pool);
  await t.throwsAsync(group.analyze(environment), { instanceOf: CancelledFailure });
  t.deepEqual(await group.states(), ['running', 'running', 'running']);
  t.deepEqual(await group.debitedSeconds(), []);
});

// The clock is that of the process.
test.serial('results do not wait for clips that take long', async (t) => {
  const now = performance.now.bind(performance);
  let aheadMs = 0;
  mock.method(performance, 'now', () => now() + aheadMs);
  t.teardown(() => mock.restoreAll());
  const healthy = createFakePool();
  const counts: number[] = [];
  const pool = createFakePool({
    analyze: async (pcm, request, options) => {
      if (pcm.includes(20)) aheadMs = 60_000;
      if (pcm.includes(30)) {
        const completed = async () =>
          (await group.states()).filter((state) => state === 'completed').length;
        counts.push(await until(completed));
      }
      return healthy.analyze(pcm, request, options);
    },
  });
  const group = await aClipGroup(t, pool);
  await group.analyze();
  t.true(counts[0]! >= 1);
  t.deepEqual(await group.states(), ['completed', 'completed', 'completed']);
  t.is(group.completed(), 3);
});
