// Recordings of more than thirty seconds: analysed in the step that decodes them while there is
// memory for them, whose share is given back however that step ends.
import { tmpdir } from 'node:os';
import { MockActivityEnvironment } from '@temporalio/testing';
import test, { type ExecutionContext } from 'ava';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { openRecording } from '../../activities/open-recording.ts';
import { claimRequest } from '../../db/requests.ts';
import { sampleRate } from '../../models/audio/sample-rate.ts';
import type { ModelId } from '../../models/contract/catalog.ts';
import { createAudioBudget, type AudioBudget } from '../../models/fairness/audio-budget.ts';
import type { AnalyzeRecordingInput, OpenedRecording } from '../../workflows/types.ts';
import { anAccount, testDatabase } from '../support/database.ts';
import { createFakePool, spoken } from '../support/fake-pool.ts';
import { testObjectStore } from '../support/object-store.ts';

/** What a recording of two minutes and a second has beyond a short one. */
const most = 91 * sampleRate;

/** The samples that are left of `total`. */
function leftOf(budget: AudioBudget, total: number): number {
  const share = budget.share();
  let left = total;
  while (!share.hold(left)) left -= sampleRate;
  share.hold(0);
  return left / sampleRate;
}

interface Opened {
  readonly seconds: number;
  readonly model?: ModelId;
  readonly pool?: Parameters<typeof createFakePool>[0];
  readonly onSecond?: () => void;
  readonly decoderFails?: boolean;
  readonly allowanceSeconds?: number;
}

async function stage(t: ExecutionContext, budget: AudioBudget) {
  const [{ db }, objects] = await Promise.all([testDatabase(t), testObjectStore(t)]);
  let requests = 0;
  return async (given: Opened): Promise<OpenedRecording> => {
    const { seconds, model = 'svc-resonance', decoderFails = false, allowanceSeconds } = given;
    const { organizationId, keyId } = await anAccount(
      db,
      allowanceSeconds ? { allowanceSeconds } : {},
    );
    const decode = async ({ onPcm }: { onPcm: (pcm: Int16Array) => Promise<void> }) => {
      const pcm = spoken(seconds, [{ value: 1, startSeconds: 1, endSeconds: 2 }]);
      for (let at = 0; at < pcm.length; at += sampleRate) {
        await onPcm(pcm.subarray(at, at + sampleRate));
      }
      if (decoderFails) throw new Error('it is broken');
      const { length: samples } = pcm;
      const source = { sourceSamples: samples, sourceRate: sampleRate, sourceChannels: 1 };
      return { samples, ...source, startSeconds: 0 };
    };
    const key = `uploads/${(requests += 1)}`;
    const request = {
      ...{ organizationId, requestId: 'r', attempt: 1, task: 'transcription', model },
      options: { diarize: false, numSpeakers: null, includeLogits: false },
      upload: { key, container: 'wav', bytes: 1 },
    } as AnalyzeRecordingInput;
    await claimRequest(db, {
      ...{ ...request, keyId, fingerprint: key, ratePerMinute: 8_000, uploadKey: key },
    });
    await objects.putBytes(key, 'r');
    const dependencies = {
      ...{ db, objects, decoder: { decode }, pool: createFakePool(given.pool), priority: 1 },
      ...{ affect: () => null, callers: { seen: () => {} }, clipAudio: budget },
      openings: { acquire: async () => () => {} },
      decodePace: { passed: async () => given.onSecond?.() },
      metrics: { completed: () => {}, failed: () => {} },
      temporaryDirectory: tmpdir(),
    } as unknown as ActivityDependencies;
    return new MockActivityEnvironment().run(() => openRecording(dependencies, request));
  };
}

test('a minute is analysed in place, and holds what it is longer than a short clip', async (t) => {
  const budget = createAudioBudget(most);
  const open = await stage(t, budget);
  const left: number[] = [];
  const answers = createFakePool();
  const pool: Opened['pool'] = {
    analyze: (...given) => {
      left.push(leftOf(budget, most));
      return answers.analyze(...given);
    },
  };
  t.like(await open({ seconds: 60, pool }), { kind: 'completed' });
  t.deepEqual([...new Set(left)], [91 - 30]);
  t.is(leftOf(budget, most), 91);
});

test('a minute for which nothing is left takes the way of a long recording', async (t) => {
  const budget = createAudioBudget(most);
  const open = await stage(t, budget);
  const other = budget.share();
  other.hold(sampleRate);
  t.like(await open({ seconds: 60 }), { kind: 'planned' });
  t.like(await open({ seconds: 30 }), { kind: 'completed' });
  // This model scores fixed windows, and needs all samples at once.
  t.like(await open({ seconds: 60, model: 'svc-resonance-2' }), { kind: 'completed' });
  t.is(leftOf(budget, most), 90);
  other.hold(0);
  t.like(await open({ seconds: 60 }), { kind: 'completed' });
});

test('a recording that is stored after all holds nothing while it is decoded', async (t) => {
  const budget = createAudioBudget(most);
  const open = await stage(t, budget);
  const left: number[] = [];
  await open({ seconds: 130, onSecond: () => left.push(leftOf(budget, most)) });
  // The first 30 seconds, the next 91, and what was decoded once they were stored.
  const expected = [[30, 91] as const, [91, 0] as const, [9, 91] as const];
  t.deepEqual(
    left,
    expected.flatMap(([seconds, each]) => Array.from({ length: seconds }, () => each)),
  );
});

for (const [name, failing] of [
  ['its decoder', { decoderFails: true }],
  ['its analysis', { pool: { analyze: () => Promise.reject(new Error('lost')) } }],
  ['its payment', { allowanceSeconds: 10 }],
] as const) {
  test(`${name} fails: nothing stays held`, async (t) => {
    const budget = createAudioBudget(most);
    const open = await stage(t, budget);
    await t.throwsAsync(open({ seconds: 60, ...failing }));
    t.is(leftOf(budget, most), 91);
  });
}
