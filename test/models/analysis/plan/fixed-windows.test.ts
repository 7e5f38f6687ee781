// Clips that are scored in windows: speech is read, wherever in its window it lies.
import test from 'ava';
import fc from 'fast-check';
import { analyzeClip } from '../../../../models/analysis/analyze-clip.ts';
import { sampleRate } from '../../../../models/audio/sample-rate.ts';
import { windowOf } from '../../../../models/contract/served-models.ts';
import type { RecordingRequest } from '../../../../models/contract/recording-request.ts';
import { chunkSeconds, chunkStart } from '../../../../models/analysis/plan/chunk-samples.ts';
import { planFixedWindows } from '../../../../models/analysis/plan/fixed-windows.ts';
import type { RecordingPlan } from '../../../../models/analysis/plan/plan.ts';
import type { SpeechSegment } from '../../../../models/analysis/plan/speech-segments.ts';
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

/** To milliseconds. */
const rounded = (spans: readonly SpeechSegment[]): readonly SpeechSegment[] =>
  spans.map(({ start, end }) => ({
    start: Math.round(start * 1e3) / 1e3,
    end: Math.round(end * 1e3) / 1e3,
  }));

/** With a quarter of its length around the sound, which begins half a second after the chunk. */
const scored = { head: 'svczero', spans: [{ start: 0.404, end: 0.98 }] };

test('the speech check is asked about faint speech alone', async (t) => {
  const asked = await askedAt(0.3);
  t.like({ ...asked[0]!, spans: rounded(asked[0]!.spans) }, { ...scored, isFaint: true });
  t.deepEqual(rounded(asked[0]!.faintSpeech!), [{ start: 0.5, end: 0.884 }]);
});

test('it is not asked where voice activity is sure', async (t) => {
  const asked = await askedAt(0.8);
  t.like({ ...asked[0]!, spans: rounded(asked[0]!.spans) }, scored);
  t.false('isFaint' in asked[0]! || 'faintSpeech' in asked[0]!);
  t.deepEqual(await askedAt(0.1), []);
});

const pauses = fc.double({ min: 0.3, max: 5, noNaN: true });
const lengths = fc.double({ min: 0.2, max: 9, noNaN: true });
const spoken = fc.array(fc.tuple(pauses, lengths), { minLength: 1, maxLength: 8 });
const begun = fc.double({ min: 0.5, max: 5, noNaN: true });

/** Speech with pauses before each segment, and a second behind it. */
function planned(model: 'svczero' | 'svc-resonance-2', given: readonly (readonly number[])[]) {
  let clock = 0;
  const speechSegments = given.map(([pause, length]) => {
    const start = (clock += pause!);
    return { start, end: (clock += length!) };
  });
  const samples = Math.round((clock + 1) * sampleRate);
  const audio = { samples, sourceSamples: samples, sourceRate: sampleRate, speechSegments };
  return planFixedWindows({ ...audio, windows: windowOf(model)! });
}

/** Where a chunk is, and what is read of it, after so many seconds. */
const read = ({ chunks }: RecordingPlan, before: number) =>
  chunks.map((chunk) => [
    ...[chunkStart(chunk) - before, chunkSeconds(chunk)],
    ...(chunk.stretch ? [chunk.stretch] : chunk.spans).flatMap(({ start, end }) => {
      return [start + (chunk.silence?.beforeSamples ?? 0) / sampleRate, end - start];
    }),
  ]);

test('silence before the first speech changes nothing of what is read', (t) => {
  const seconds = fc.integer({ min: 1, max: 40 });
  fc.assert(
    fc.property(begun, lengths, spoken, seconds, (first, length, rest, silence) => {
      for (const model of ['svczero', 'svc-resonance-2'] as const) {
        const alone = read(planned(model, [[first, length], ...rest]), 0);
        const later = read(planned(model, [[first + silence, length], ...rest]), silence);
        t.is(later.length, alone.length);
        const differences = alone.flatMap((row, i) => row.map((own, k) => own - later[i]![k]!));
        t.true(differences.every((difference) => Math.abs(difference) < 2 / sampleRate));
      }
    }),
  );
});

test('a window has the scores of the stretches in it, by the seconds of each', (t) => {
  fc.assert(
    fc.property(spoken, (given) => {
      const { chunks, segments } = planned('svczero', given);
      for (const { spans, startSample, stretch } of chunks) {
        t.true(spans.length > 0);
        for (const { segment, start, end } of spans) {
          const window = segments![segment!]!;
          const at = startSample / sampleRate;
          t.true(start + at > window.start - 1e-3 && end + at < window.end + 1e-3);
          t.true(start > stretch!.start && end < stretch!.end);
        }
        const whole = stretch!.end - stretch!.start;
        const seconds = Math.max(whole - 0.7, whole / 1.5);
        t.true(seconds <= 7.2 + 1e-6, 'windows of six seconds, and what is too short for one');
        const own = spans.reduce((sum, { start, end }) => sum + end - start, 0);
        t.true(seconds - own < 0.3, 'but for edges of less than 0.15 s');
      }
    }),
  );
});
