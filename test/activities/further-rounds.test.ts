// A span whose time was over begins again: Temporal counts attempts from 1, and nothing is lost.
import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { analyzeSpan } from '../../activities/analyze-span.ts';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { recordingKeys } from '../../activities/recording-objects.ts';
import { putJson } from '../../db/stored-json.ts';
import { planFormat } from '../../models/analysis/result/documents.ts';
import { bytesOf } from '../../models/audio/samples.ts';
import { sampleRate } from '../../models/audio/sample-rate.ts';
import { createFairSemaphore } from '../../models/fairness/fair-semaphore.ts';
import type { AnalyzeSpanInput } from '../../workflows/types.ts';
import { anAccount, testDatabase } from '../support/database.ts';
import { createFakePool } from '../support/fake-pool.ts';
import { testObjectStore } from '../support/object-store.ts';
import { largeRecording } from '../support/workflow-workers.ts';

test('what is stored is not analysed again', async (t) => {
  const [{ db }, objects] = await Promise.all([testDatabase(t), testObjectStore(t)]);
  const { organizationId } = await anAccount(db);
  const recording = { ...largeRecording, organizationId };
  const keys = recordingKeys(recording);
  const chunks = Array.from({ length: 3 }, (_, index) => ({
    ...{ index, startSample: index * sampleRate, endSample: (index + 1) * sampleRate, spans: [] },
  }));
  const plan = { chunks, segments: null, speakers: null, speechSeconds: 3 };
  await putJson(objects, keys.plan, planFormat, plan as never);
  await objects.putBytes(keys.pcm, bytesOf(new Int16Array(3 * sampleRate)));
  const pool = createFakePool();
  const dependencies = { db, objects, pool, priority: 1, spans: createFairSemaphore(1) };
  const span = { index: 0, firstChunk: 0, endChunk: 3, audioSeconds: 3 };
  const analyze = (): Promise<unknown> =>
    new MockActivityEnvironment({ attempt: 1 }).run(() =>
      analyzeSpan(
        dependencies as unknown as ActivityDependencies,
        {
          recording,
          span,
        } as unknown as AnalyzeSpanInput,
      ),
    );
  await analyze();
  t.is(pool.analyzed.length, 3);
  await objects.delete([keys.chunk(1)]);
  await analyze();
  t.is(pool.analyzed.length, 4);
});
