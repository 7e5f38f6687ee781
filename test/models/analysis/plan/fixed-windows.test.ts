// Clips that are scored in windows: whole windows are read, but only for speech.
import test from 'ava';
import { analyzeClip } from '../../../../models/analysis/analyze-clip.ts';
import { sampleRate } from '../../../../models/audio/sample-rate.ts';
import type { RecordingRequest } from '../../../../models/contract/recording-request.ts';
import type { ChunkRequest } from '../../../../models/inference/jobs.ts';
import { createFakePool } from '../../../support/fake-pool.ts';

const request: RecordingRequest = {
  ...{ task: 'synthetic_speech', model: 'svczero' },
  options: { diarize: false, numSpeakers: null, includeLogits: true },
};

/** What is asked of 1.5 s with one sound, which voice activity hears with this probability. */
async function askedAt(probability: number): Promise<readonly ChunkRequest[]> {
  const samples = 1.5 * sampleRate;
  const asked: ChunkRequest[] = [];
  const healthy = createFakePool();
  const pool = createFakePool({
    analyze: (pcm, chunk, job) => {
      asked.push(chunk);
      return healthy.analyze(pcm, chunk, job);
    },
  });
  const clip = {
    ...{ request, audio: { samples, sourceSamples: samples, sourceRate: sampleRate } },
    ...{ pcm: new Int16Array(samples), outline: null },
    probabilities: [new Float32Array(47).fill(0.01).fill(probability, 10, 22)],
  };
  await analyzeClip(pool, clip, { organizationId: 'o', priority: 1 });
  return asked;
}

const whole = { head: 'svczero', spans: [{ start: 0, end: 1.5 }] };

test('the speech check is asked about faint speech in a window', async (t) => {
  const faintSpeech = [{ start: 0.32, end: 0.704 }];
  t.like(await askedAt(0.3), [{ ...whole, isFaint: true, faintSpeech }]);
});

test('it is not asked where voice activity is sure', async (t) => {
  const asked = await askedAt(0.8);
  t.like(asked, [whole]);
  t.false('isFaint' in asked[0]! || 'faintSpeech' in asked[0]!);
  t.deepEqual(await askedAt(0.1), []);
});
