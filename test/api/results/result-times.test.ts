// Times of results, whatever a model's hops and a resampler's edges produce.
import test from 'ava';
import fc from 'fast-check';
import { toLiteResult } from '../../../api/lite/response.ts';
import { toProficiencyResult } from '../../../api/proficiency/response.ts';
import { toSyntheticResult } from '../../../api/synthetic-speech/response.ts';
import { planFixedWindows } from '../../../models/analysis/plan/fixed-windows.ts';
import {
  liteModel,
  proficiencyModel,
  syntheticModel,
  windowOf,
} from '../../../models/contract/served-models.ts';
import type { RecordingResult, RecordingSegment } from '../../../models/analysis/result/result.ts';

const organizationId = 'org_1';
const requestId = 'one';

const segment = (start: number, end: number, speaker: number | null = null): RecordingSegment => ({
  ...{ start, end, speaker, text: '', words: [], emotions: [], styles: [], logits: null },
});

const result = (over: Partial<RecordingResult>): RecordingResult => ({
  ...{ version: 2, sourceSamples: 320_000, sourceRate: 16_000, billableSeconds: 20 },
  ...{ inferenceMs: 1, text: '', language: 'en', emotions: [], styles: [], segments: [] },
  ...{ logits: null, speakers: null },
  ...over,
});

function lite(over: Partial<RecordingResult>) {
  const options = { diarize: true, numSpeakers: null, includeLogits: true };
  const requested = { emotionDetection: true, responseFormat: 'verbose_json', options } as const;
  const model = liteModel;
  const context = {
    model,
    requestId,
    request: requested,
    plan: 'subscription',
    answerMs: 100.4,
    thresholds: {},
  } as const;
  return toLiteResult({ organizationId, attempt: 1, result: result(over) }, context);
}

test('a segment of the lite model ends with its clip', (t) => {
  const { segments, emotion_detection: detection } = lite({
    speakers: 1,
    segments: [segment(0, 20.016, 0)],
  });
  t.is(segments![0]!.end, 20);
  t.is(detection!.segments[0]!.end, 20);
});

test('the time of the server is without that of the reservation', (t) => {
  t.is(lite({}).server_ms, 100);
  t.is(lite({ reservationMs: 30 }).server_ms, 70);
  t.is(lite({ reservationMs: 101 }).server_ms, 0);
});

test('silence of the lite model has a score and no speaker turn', (t) => {
  const silent = lite({ segments: [segment(0, 20)] });
  t.deepEqual([silent.diarized, silent.speakers, silent.segments], [false, [], []]);
  t.is(silent.emotion_detection!.segments.length, 1);
});

test('words of a graded recording, and its speech, end with it', (t) => {
  // 44,100 Hz: the last sample at 16 kHz ends behind the last one of the source.
  const [sourceSamples, sourceRate] = [220_520, 44_100];
  const endSeconds = Math.ceil((sourceSamples * 16_000) / sourceRate) / 16_000;
  const word = { word: 'yes', start: 0, end: endSeconds, phones: 3, gop: -1, vowelSeconds: [0.2] };
  const proficiency = {
    check: { status: 'scored', billable: true, reason: null },
    ...{ words: [word], speechSeconds: endSeconds, transcriptGiven: false, windows: 1 },
  } as const;
  const request = { requestId, task: 'proficiency', model: proficiencyModel } as const;
  const finished = result({ sourceSamples, sourceRate, proficiency });
  const { duration, proficiency: scores } = toProficiencyResult(request, {
    ...{ organizationId, attempt: 1 },
    result: finished,
  });
  t.is(duration, 5);
  t.is(scores.words[0]!.end_s, 5);
  t.is(scores.speech_seconds, 5);
  t.is(scores.continuous_metadata.speech_seconds, 5);
});

test('segments of synthetic speech cover the clip, each with a length of its own', (t) => {
  const rates = fc.constantFrom(8_000, 11_025, 16_000, 22_050, 44_100, 48_000);
  const lengths = fc.oneof(
    fc.integer({ min: 1_000_000, max: 60_000_000 }),
    // Around whole windows, where the last one may hold a single sample.
    fc
      .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 2_000 }))
      .map(([windows, microseconds]) => windows * 6_000_000 + microseconds),
  );
  fc.assert(
    fc.property(rates, lengths, (sourceRate, microseconds) => {
      const sourceSamples = Math.ceil((microseconds / 1e6) * sourceRate);
      const samples = Math.round((sourceSamples * 16_000) / sourceRate);
      const windows = windowOf(syntheticModel)!;
      const audio = { windows, samples, sourceSamples, sourceRate, speechSegments: null };
      const plan = planFixedWindows(audio);
      const segments = plan.segments!.map(({ start, end }) => ({
        ...segment(start, end),
        logits: [0.5],
      }));
      const body = toSyntheticResult(
        {
          organizationId,
          attempt: 1,
          result: result({ sourceSamples, sourceRate, segments, logits: [0.5] }),
        },
        requestId,
      );
      t.true(body.segments.length >= 1 && body.segments.length <= 10);
      t.is(body.segments[0]!.start, 0);
      t.is(body.segments.at(-1)!.end, body.duration);
      for (const [i, { start, end }] of body.segments.entries()) {
        t.true(end > start, `${sourceSamples} at ${sourceRate}: ${start}-${end}`);
        if (i > 0) t.is(start, body.segments[i - 1]!.end);
      }
    }),
  );
});
