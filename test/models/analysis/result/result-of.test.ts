// A recording from its samples to its result, with a pool that recognises what the test has
// scripted.
import test from 'ava';
import { analyzeClip } from '../../../../models/analysis/analyze-clip.ts';
import { resultOf } from '../../../../models/analysis/result/result-of.ts';
import { createIncrementalAnalysis } from '../../../../models/analysis/incremental-analysis.ts';
import {
  chunkFormat,
  planFormat,
  resultFormat,
} from '../../../../models/analysis/result/documents.ts';
import { readDocument, writeDocument, type DocumentFormat } from '../../../../db/stored-json.ts';
import { streamVoiceActivity } from '../../../../models/analysis/voice-activity.ts';
import type { RecordingRequest } from '../../../../models/contract/recording-request.ts';
import { sampleRate } from '../../../../models/audio/sample-rate.ts';
import { InferenceFailed } from '../../../../models/inference/errors.ts';
import { createFakePool, spoken } from '../../../support/fake-pool.ts';

const job = { organizationId: 'org', priority: 1 } as const;
const noOptions = { diarize: false, numSpeakers: null, includeLogits: false };
const transcription: RecordingRequest = {
  task: 'transcription',
  model: 'svc-resonance',
  options: noOptions,
};
const withoutThresholds = { affect: null, transcript: null };

/** A word a second for most of it, each of half a second, with a long pause in the middle. */
const seconds = 50;
const words = Array.from({ length: seconds }, (_, i) => ({
  value: 1_000 + i,
  startSeconds: i + 0.2,
  endSeconds: i + 0.7,
})).filter(({ startSeconds }) => startSeconds < 20 || startSeconds > 26);
const pcm = spoken(seconds, words);
const audio = { samples: pcm.length, sourceSamples: pcm.length, sourceRate: sampleRate };

/** What the next step reads of a document, which contains its version. */
function stored<T extends object>(format: DocumentFormat<T>, document: T): T {
  return readDocument(format, writeDocument(format, document));
}

async function activityOf(samples: Int16Array): Promise<Float32Array> {
  const stream = streamVoiceActivity(createFakePool(), job);
  // In blocks of any length, independent of the segments.
  for (let at = 0; at < samples.length; at += 10_007) {
    await stream.write(samples.subarray(at, at + 10_007));
  }
  return stream.end();
}

test('every word of a clip is in its result once, at its time', async (t) => {
  const pool = createFakePool();
  const probabilities = [await activityOf(pcm)];
  const clip = { request: transcription, audio, pcm, probabilities, outline: null };
  const analyzed = await analyzeClip(pool, clip, job);
  const result = await resultOf(pool, analyzed, withoutThresholds);
  t.true(pool.analyzed.length > 1, 'more than one chunk');
  t.true(Math.max(...pool.analyzed) <= 30 * sampleRate);
  t.is(result.text, words.map(({ value }) => `w${value}`).join(' '));
  t.deepEqual(
    result.segments.flatMap((segment) => segment.words.map(({ start }) => start.toFixed(3))),
    words.map(({ startSeconds }) => startSeconds.toFixed(3)),
  );
  t.is(result.billableSeconds, seconds);
  t.like(stored(planFormat, analyzed.plan), analyzed.plan);
  t.like(stored(chunkFormat, analyzed.chunks[0]!), analyzed.chunks[0]!);
  t.deepEqual(stored(resultFormat, result), result);
});

test('a recording that arrives in pieces has the words of the whole one', async (t) => {
  const pool = createFakePool();
  const options = { pool, organizationId: 'org', request: transcription, affect: null };
  const analysis = createIncrementalAnalysis(options);
  const bytes = new Uint8Array(pcm.buffer);
  for (let at = 0; at < bytes.length; at += 6_400) {
    analysis.record(bytes.subarray(at, at + 6_400));
    await new Promise((resolve) => setImmediate(resolve));
  }
  const before = pool.analyzed.length;
  const result = await analysis.finish();
  t.true(before > 0, 'chunks that nothing can be added to are analysed while the rest arrives');
  t.is(result.text, words.map(({ value }) => `w${value}`).join(' '));
  t.is(result.billableSeconds, seconds);
});

test('a chunk that failed is analysed again by the next finish', async (t) => {
  let failing = true;
  const healthy = createFakePool();
  const pool = createFakePool({
    analyze: (...args) =>
      failing ? Promise.reject(new InferenceFailed('broken')) : healthy.analyze(...args),
  });
  const options = { pool, organizationId: 'org', request: transcription, affect: null };
  const analysis = createIncrementalAnalysis(options);
  analysis.record(new Uint8Array(pcm.buffer, 0, 4 * sampleRate));
  await t.throwsAsync(analysis.finish(), { instanceOf: InferenceFailed });
  failing = false;
  t.is((await analysis.finish()).text, 'w1000 w1001');
});

test('several languages without their weights are rejected as unavailable', async (t) => {
  const pool = createFakePool({
    analyze: () => Promise.reject(new InferenceFailed('no such model')),
  });
  const request: RecordingRequest = { ...transcription, model: 'svc-spectra-2' };
  const probabilities = [await activityOf(pcm)];
  const clip = { request, audio, pcm, probabilities, outline: null };
  await t.throwsAsync(analyzeClip(pool, clip, job), { code: 'model_unavailable' });
});

test('where faint speech turns out to be another sound, the recording has no speech', async (t) => {
  const nothing = { words: [], language: null, languages: null, english: null, written: null };
  const deaf = createFakePool({
    analyze: async () => ({ ...nothing, scored: [], inferenceMs: 1 }),
  });
  const short = pcm.subarray(0, sampleRate);
  const length = { samples: sampleRate, sourceSamples: sampleRate, sourceRate: sampleRate };
  const faint = Float32Array.from({ length: 32 }, (_, hop) => (hop > 3 && hop < 12 ? 0.3 : 0.01));
  const answered = async (task: 'emotion' | 'transcription', pool = deaf) => {
    const request: RecordingRequest = { ...transcription, task };
    const clip = { request, audio: length, pcm: short, probabilities: [faint], outline: null };
    const analyzed = await analyzeClip(pool, clip, job);
    t.is(analyzed.plan.chunks.length, 1);
    const turn = { start: 0.1, end: 0.4, speaker: 0 };
    const plan = { ...analyzed.plan, ...(task === 'transcription' && { segments: [turn] }) };
    return resultOf(pool, { ...analyzed, plan: { ...plan, speakers: 1 } }, withoutThresholds);
  };
  const emotions = await answered('emotion');
  t.deepEqual(
    emotions.segments.map(({ start, end, speaker }) => [start, end, speaker]),
    [[0, 1, null]],
  );
  t.is(emotions.speakers, null);
  t.deepEqual((await answered('transcription')).segments, []);
  const heard = await answered('transcription', createFakePool());
  t.is(heard.segments[0]!.text, 'w1000', 'what is heard is speech');
  t.is(heard.speakers, 1);
});

test('a model that abstains on digital silence scores none of it, and is charged', async (t) => {
  const pool = createFakePool();
  const silent = new Int16Array(3 * sampleRate);
  const length = { ...audio, samples: silent.length, sourceSamples: silent.length };
  const request: RecordingRequest = { ...transcription, task: 'affect', model: 'svc-resonance-2' };
  const clip = {
    request,
    audio: length,
    pcm: silent,
    probabilities: [await activityOf(silent)],
    outline: null,
  };
  const result = await resultOf(pool, await analyzeClip(pool, clip, job), withoutThresholds);
  t.deepEqual(pool.analyzed, []);
  t.is(result.billableSeconds, 3);
});

test('chunks whose language the rest contradicts are recognised again', async (t) => {
  const unsure = { en: 0.01, es: 0.3, it: 0.69 };
  const sure = { en: 0.001, es: 0.998, it: 0.001 };
  const requested: (string | null)[] = [];
  const healthy = createFakePool();
  const pool = createFakePool({
    analyze: async (samples, request, options) => {
      requested.push(request.language);
      const analysis = await healthy.analyze(samples, request, options);
      const isFirst = analysis.words[0]?.word === 'w1000';
      const languages = isFirst ? unsure : sure;
      const language = request.language ?? (isFirst ? 'it' : 'es');
      return { ...analysis, language, languages, english: -3 };
    },
  });
  const clip = { request: transcription, audio, pcm, probabilities: [await activityOf(pcm)] };
  const analyzed = await analyzeClip(pool, { ...clip, outline: null }, job);
  t.true(requested.length > 2 && requested.every((language) => language === null));
  const result = await resultOf(pool, analyzed, withoutThresholds);
  t.is(result.language, 'es');
  t.is(result.text, words.map(({ value }) => `w${value}`).join(' '));
  // Then its pieces are recognised, because the doubt may come from a change of language.
  const [again, ...pieces] = requested.slice(analyzed.chunks.length);
  t.is(again, 'es');
  t.true(pieces.every((language) => language === null));
});

test('a fixed language is used for every chunk, and named without speech too', async (t) => {
  const healthy = createFakePool();
  const requested = new Set<string | null>();
  const pool = createFakePool({
    analyze: (samples, chunk, options) => {
      requested.add(chunk.language);
      return healthy.analyze(samples, chunk, options);
    },
  });
  const request = { ...transcription, options: { ...noOptions, language: 'de' } };
  const clip = { request, audio, pcm, probabilities: [await activityOf(pcm)], outline: null };
  const analyzed = await analyzeClip(pool, clip, job);
  t.deepEqual([...requested], ['de']);
  const silent = { ...analyzed, plan: { ...analyzed.plan, chunks: [] }, chunks: [] };
  t.is((await resultOf(pool, silent, withoutThresholds)).language, 'de');
});
