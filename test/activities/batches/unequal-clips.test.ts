// A group of clips of which one cannot be read or analysed: it waits alone, the others end.
import { tmpdir } from 'node:os';
import { ApplicationFailure } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import test, { type ExecutionContext } from 'ava';
import { analyzeClips } from '../../../activities/batches/analyze-clips.ts';
import type { ActivityDependencies } from '../../../activities/dependencies.ts';
import { createPaces } from '../../../bin/process/worker-capacity.ts';
import { sampleRate } from '../../../models/audio/sample-rate.ts';
import { createFairSemaphore } from '../../../models/fairness/fair-semaphore.ts';
import type { ClipGroupOutcome } from '../../../workflows/types.ts';
import { aBatch } from '../../support/batch-rows.ts';
import { testDatabase } from '../../support/database.ts';
import { createFakePool, spoken, type FakePool } from '../../support/fake-pool.ts';
import { testObjectStore } from '../../support/object-store.ts';

const files = [10, 20, 30].map((bytes) => Buffer.alloc(bytes, 1));

/** Each clip is a word, of the value that its length in bytes is. */
async function aGroup(t: ExecutionContext, pool: FakePool) {
  const [{ db }, objects] = await Promise.all([testDatabase(t), testObjectStore(t)]);
  const batch = await aBatch(db, objects, files);
  const decode = async ({
    bytes,
    onPcm,
  }: {
    bytes: number;
    onPcm: (pcm: Int16Array) => unknown;
  }) => {
    await onPcm(spoken(2, [{ value: bytes, startSeconds: 0.5, endSeconds: 1.5 }]));
    const samples = 2 * sampleRate;
    return { samples, sourceSamples: samples, sourceRate: sampleRate, sourceChannels: 1 };
  };
  const metrics = { completed: () => {}, failed: () => {} };
  const dependencies = {
    ...{ db, objects, decoder: { decode }, pool, priority: 3, metrics, affect: () => null },
    ...{ temporaryDirectory: tmpdir(), spans: createFairSemaphore(4), ...createPaces() },
  } as unknown as ActivityDependencies;
  const group = { batchId: batch.id, from: 0, to: files.length };
  const analyze = async (): Promise<ClipGroupOutcome> =>
    new MockActivityEnvironment().run(() => analyzeClips(dependencies, group)) as never;
  const states = async (): Promise<readonly string[]> => {
    const rows = await db.selectFrom('requests').select('state').orderBy('requestId').execute();
    return rows.map(({ state }) => state);
  };
  return { objects, analyze, states };
}

test('one whose object is damaged gets a workflow of its own', async (t) => {
  const { objects, analyze, states } = await aGroup(t, createFakePool());
  await objects.delete(['uploads/1']);
  await objects.putBytes('uploads/1', Buffer.alloc(20, 2));
  const { long } = await analyze();
  t.deepEqual(
    long.map(({ position }) => position),
    [1],
  );
  t.deepEqual(await states(), ['completed', 'admitted', 'completed']);
});

test('what was analysed before a failure is settled, and not analysed again', async (t) => {
  let broken = true;
  const healthy = createFakePool();
  const pool = createFakePool({
    analyze: async (pcm, request, options) => {
      if (broken && pcm.includes(30)) {
        // The others are through.
        while (healthy.of('analyze').length < 2) await new Promise(setImmediate);
        throw new Error('the machine is out of memory');
      }
      return healthy.analyze(pcm, request, options);
    },
  });
  const { analyze, states } = await aGroup(t, pool);
  await t.throwsAsync(analyze(), { instanceOf: ApplicationFailure });
  t.deepEqual(await states(), ['completed', 'completed', 'running']);
  broken = false;
  await analyze();
  t.deepEqual(await states(), ['completed', 'completed', 'completed']);
  t.is(healthy.of('analyze').length, 3);
});
