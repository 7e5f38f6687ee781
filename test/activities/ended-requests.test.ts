// An operator resets the workflow of a request that has ended: its objects are gone, and nothing of
// it may go on, because its workflow would keep the id from the next attempt.
import type { ApplicationFailure } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import { tmpdir } from 'node:os';
import test from 'ava';
import { analyzeSpan } from '../../activities/analyze-span.ts';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { diarizeRecording } from '../../activities/diarize-recording.ts';
import { finishRecording } from '../../activities/finish-recording.ts';
import { openRecording } from '../../activities/open-recording.ts';
import { recordingKeys } from '../../activities/recording-objects.ts';
import { claimRequest, failRequest } from '../../db/requests.ts';
import { reserve, settle } from '../../db/settlement.ts';
import { createAudioBudget } from '../../models/fairness/audio-budget.ts';
import { createFairSemaphore } from '../../models/fairness/fair-semaphore.ts';
import type { AnalyzeRecordingInput } from '../../workflows/types.ts';
import { anAccount, testDatabase } from '../support/database.ts';
import { createFakePool } from '../support/fake-pool.ts';
import { testObjectStore } from '../support/object-store.ts';
import { largeRecording } from '../support/workflow-workers.ts';

test('a step ends the workflow of a failed request, and agrees to a completed one', async (t) => {
  const [{ db }, objects] = await Promise.all([testDatabase(t), testObjectStore(t)]);
  const { organizationId, keyId } = await anAccount(db, { allowanceSeconds: 600 });
  const dependencies = {
    ...{ db, objects, pool: createFakePool(), priority: 1, affect: () => null },
    ...{ decodePace: { passed: async () => {} }, callers: { seen: () => {} } },
    ...{ spans: createFairSemaphore(1), openings: createFairSemaphore(1) },
    ...{ clipAudio: createAudioBudget(0), temporaryDirectory: tmpdir() },
    // The upload is gone.
    decoder: { decode: () => new Promise(() => {}) },
  } as unknown as ActivityDependencies;
  const audio = { samples: 16_000, sourceSamples: 16_000, sourceRate: 16_000 };
  const span = { index: 0, firstChunk: 0, endChunk: 1, audioSeconds: 1 };
  const steps = (recording: AnalyzeRecordingInput) => ({
    openRecording: () => openRecording(dependencies, recording),
    diarizeRecording: () => diarizeRecording(dependencies, { recording, audio }),
    analyzeSpan: () => analyzeSpan(dependencies, { recording, span }),
    finishRecording: () => finishRecording(dependencies, { recording, audio }),
  });
  const { task, model, upload } = largeRecording;
  const claimed = async (requestId: string): Promise<AnalyzeRecordingInput> => {
    const ref = { organizationId, requestId, attempt: 1 };
    const claim = { ...ref, task, model, keyId, fingerprint: 'f', ratePerMinute: 8_000 };
    await claimRequest(db, { ...claim, uploadKey: upload.key });
    await reserve(db, ref, 60);
    return { ...largeRecording, ...ref };
  };
  const outcomeOf = (step: () => Promise<unknown>): Promise<unknown> =>
    new MockActivityEnvironment({ attempt: 1 }).run(step).catch((error: unknown) => error);

  const open = await claimed('open');
  for (const [name, step] of Object.entries(steps(open))) {
    const error = (await outcomeOf(step)) as ApplicationFailure;
    t.false(error.nonRetryable, `${name} of an open request is tried again`);
  }
  const failed = await claimed('failed');
  await failRequest(db, failed, { code: 'internal_error', message: 'terminated', param: null });
  for (const [name, step] of Object.entries(steps(failed))) {
    const error = (await outcomeOf(step)) as ApplicationFailure;
    t.like(error, { nonRetryable: true, type: 'internal_error' }, name);
    t.regex(error.message, /was ended/, name);
  }
  const completed = await claimed('completed');
  await settle(db, { ...completed, uploadKey: upload.key }, 60);
  const { result: resultKey } = recordingKeys(completed);
  const of = steps(completed);
  t.deepEqual(await outcomeOf(of.openRecording), { kind: 'completed', resultKey });
  t.is(await outcomeOf(of.analyzeSpan), undefined);
  t.deepEqual(await outcomeOf(of.finishRecording), { resultKey });
  t.like(await outcomeOf(of.diarizeRecording), { nonRetryable: true });
  const debits = db.selectFrom('ledger').select('requestId').where('kind', '=', 'debit');
  t.deepEqual(await debits.execute(), [{ requestId: 'completed' }]);
});
