// A worker that was cut off does nothing to a later claim of an id that its own claim left unused.
import { MockActivityEnvironment } from '@temporalio/testing';
import { tmpdir } from 'node:os';
import test from 'ava';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { failRecording } from '../../activities/fail-recording.ts';
import { openRecording } from '../../activities/open-recording.ts';
import { balanceOf } from '../../db/balance.ts';
import { claimRequest, requestState } from '../../db/requests.ts';
import { sampleRate } from '../../models/audio/sample-rate.ts';
import { createAudioBudget } from '../../models/fairness/audio-budget.ts';
import type { AnalyzeRecordingInput } from '../../workflows/types.ts';
import { anAccount, testDatabase } from '../support/database.ts';
import { createFakePool, spoken } from '../support/fake-pool.ts';
import { testObjectStore } from '../support/object-store.ts';

/** A decoder that is held up until `release` is called. */
function heldDecoder(seconds: number) {
  const decoding = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const decode = async ({ onPcm }: { onPcm: (pcm: Int16Array) => Promise<void> }) => {
    decoding.resolve();
    await released.promise;
    const samples = seconds * sampleRate;
    await onPcm(spoken(seconds, [{ value: 1, startSeconds: 0, endSeconds: seconds }]));
    const source = { sourceSamples: samples, sourceRate: sampleRate, sourceChannels: 1 };
    return { samples, ...source, startSeconds: 0 };
  };
  return { decode, begun: decoding.promise, release: released.resolve };
}

test('a step of a claim that was left unused settles nothing for the next one', async (t) => {
  const [{ db }, objects] = await Promise.all([testDatabase(t), testObjectStore(t)]);
  const { organizationId, keyId } = await anAccount(db);
  const ref = { organizationId, requestId: 'r', attempt: 1 };
  const request = {
    ...{ task: 'transcription', model: 'svc-resonance' },
    options: { diarize: false, numSpeakers: null, includeLogits: false },
  } as const;
  const send = async (name: string): Promise<AnalyzeRecordingInput> => {
    const key = `uploads/${name}`;
    const claim = await claimRequest(db, {
      ...{ ...ref, ...request, keyId, fingerprint: name, ratePerMinute: 8_000, uploadKey: key },
    });
    t.deepEqual(claim, { kind: 'admitted', attempt: 1 });
    await objects.putBytes(key, name);
    const bytes = Buffer.byteLength(name);
    return {
      ...ref,
      ...request,
      upload: { key, container: 'wav', bytes },
    } as AnalyzeRecordingInput;
  };
  const dependenciesOf = (decoder: Pick<ReturnType<typeof heldDecoder>, 'decode'>) =>
    ({
      ...{ db, objects, decoder, pool: createFakePool(), priority: 1, affect: () => null },
      callers: { seen: () => {} },
      openings: { acquire: async () => () => {} },
      clipAudio: createAudioBudget(0),
      decodePace: { passed: async () => {} },
      metrics: { completed: () => {}, failed: () => {} },
      temporaryDirectory: tmpdir(),
    }) as unknown as ActivityDependencies;
  const open = (recording: AnalyzeRecordingInput, decoder: ReturnType<typeof heldDecoder>) =>
    new MockActivityEnvironment().run(() => openRecording(dependenciesOf(decoder), recording));

  const stalled = heldDecoder(9);
  const first = await send('first');
  const late = open(first, stalled);
  await stalled.begun;
  // Meanwhile another worker has the step, and the account cannot pay for the recording.
  const exhausted = { code: 'allowance_exhausted', message: 'Used up.', param: null } as const;
  await new MockActivityEnvironment().run(() =>
    failRecording(dependenciesOf(stalled), { recording: first, ...exhausted }),
  );
  const second = await send('second');
  stalled.release();
  await t.throwsAsync(late);
  t.is(await requestState(db, ref), 'admitted');
  t.is((await balanceOf(db, organizationId)).usedSeconds, 0);

  const decoder = heldDecoder(2);
  decoder.release();
  t.like(await open(second, decoder), { kind: 'completed' });
  t.is((await balanceOf(db, organizationId)).usedSeconds, 2);
});
