// Which long recordings are asked of Whisper first, on a pool that hears English in values below
// 100, what may be English in 150, Italian in 250 and Spanish in others.
import test from 'ava';
import { probeLanguage } from '../../../../models/analysis/languages/probe-language.ts';
import { sampleRate } from '../../../../models/audio/sample-rate.ts';
import type { ChunkRequest } from '../../../../models/inference/jobs.ts';
import { createFakePool } from '../../../support/fake-pool.ts';

const job = { organizationId: 'org', priority: 3 } as const;
const options = { diarize: false, numSpeakers: null, includeLogits: false };
const request = { task: 'transcription', model: 'svc-resonance', options } as const;

function likely(value: number): Readonly<Record<string, number>> {
  if (value === 150) return { en: 0.6, es: 0.4 };
  return value === 250 ? { it: 0.7, es: 0.2 } : { en: 0.2, es: 0.4 };
}

/** @param value of the samples of a chunk, by its index */
function longRecording(count: number, value: (index: number) => number) {
  const asked: { readonly index: number; readonly request: ChunkRequest }[] = [];
  const inner = createFakePool();
  const pool = createFakePool({
    analyze: async (pcm, each) => {
      asked.push({ index: pcm[1]!, request: each });
      const isEnglish = pcm[0]! < 100;
      return {
        ...(await inner.analyze(pcm, each, job)),
        words: [],
        language: isEnglish ? 'en' : null,
        languages: isEnglish ? null : likely(pcm[0]!),
      };
    },
  });
  // One chunk of each part is longer than the others.
  const chunks = Array.from({ length: count }, (_, index) => ({
    ...{ index, spans: [] },
    startSample: index * 20 * sampleRate,
    endSample: (index * 20 + (index % 15 === 7 ? 12 : 8)) * sampleRate,
  }));
  const read = async ({ startSample = 0 }) => {
    const index = startSample / (20 * sampleRate);
    return Int16Array.of(value(index), index);
  };
  return { pool, chunks, asked, probing: { request, read, job } };
}

test('in a long recording the longest chunk of each quarter is heard', async (t) => {
  const { pool, chunks, asked, probing } = longRecording(60, () => 200);
  const probed = await probeLanguage(pool, chunks, probing);
  t.deepEqual(probed, { unlikelyEnglish: true, prior: { es: 2 } });
  t.deepEqual(
    asked.map(({ index }) => index),
    [7, 22, 37, 52],
  );
  t.true(asked.every((each) => each.request.detectionOnly && each.request.language === null));
});

test('a first chunk that is clearly English ends the search, a later one decides it', async (t) => {
  const first = longRecording(60, (index) => (index === 7 ? 50 : 200));
  t.deepEqual(await probeLanguage(first.pool, first.chunks, first.probing), {});
  t.is(first.asked.length, 1);
  const later = longRecording(60, (index) => (index === 22 ? 50 : 200));
  t.deepEqual(await probeLanguage(later.pool, later.chunks, later.probing), {});
});

test('two chunks that Whisper takes for English end it, one does not', async (t) => {
  const one = longRecording(60, (index) => (index === 22 ? 150 : 200));
  const probed = await probeLanguage(one.pool, one.chunks, one.probing);
  t.deepEqual(probed, { unlikelyEnglish: true, prior: { es: 2 } });
  t.is(one.asked.length, 4);
  const two = longRecording(60, (index) => (index < 30 ? 150 : 200));
  t.deepEqual(await probeLanguage(two.pool, two.chunks, two.probing), {});
});

test('chunks in several languages make none likelier', async (t) => {
  const { pool, chunks, probing } = longRecording(60, (index) => (index === 22 ? 250 : 200));
  t.deepEqual(await probeLanguage(pool, chunks, probing), { unlikelyEnglish: true });
});

test('short recordings, a known language, given text and scores need no probe', async (t) => {
  const short = longRecording(40, () => 200);
  t.deepEqual(await probeLanguage(short.pool, short.chunks, short.probing), {});
  const { pool, chunks, asked, probing } = longRecording(60, () => 200);
  const fixed = { ...request, options: { ...options, language: 'es' } };
  t.deepEqual(await probeLanguage(pool, chunks, { ...probing, request: fixed }), {});
  const scores = { ...request, task: 'emotion' } as const;
  t.deepEqual(await probeLanguage(pool, chunks, { ...probing, request: scores }), {});
  const given = { ...request, transcriptKey: 'transcript' };
  t.deepEqual(await probeLanguage(pool, chunks, { ...probing, request: given }), {});
  t.deepEqual([...asked, ...short.asked], []);
});
