// Recordings that change their language, on a pool that hears languages in the samples: English in
// values below 100, Spanish above, and no language well in a mixture.
import test from 'ava';
import type { AnalyzedChunk } from '../../../../models/analysis/analyzed-chunk.ts';
import { analyzeChunk } from '../../../../models/analysis/analyze-chunk.ts';
import { readChunk } from '../../../../models/analysis/plan/chunk-samples.ts';
import { resolveLanguages } from '../../../../models/analysis/languages/resolve-languages.ts';
import { sampleRate } from '../../../../models/audio/sample-rate.ts';
import type { ChunkAnalysis, ChunkRequest } from '../../../../models/inference/jobs.ts';
import { createFakePool, spoken } from '../../../support/fake-pool.ts';

const job = { organizationId: 'org', priority: 1 } as const;
const options = { diarize: false, numSpeakers: null, includeLogits: false };
const request = { task: 'transcription', model: 'svc-resonance', options } as const;
const chunkSeconds = 10;

const inner = createFakePool();
const asked: ChunkRequest[] = [];

async function hear(pcm: Int16Array, request: ChunkRequest): Promise<ChunkAnalysis> {
  asked.push(request);
  const { words, ...rest } = await inner.analyze(pcm, request, job);
  const spanish = words.filter(({ word }) => Number(word.slice(1)) >= 100).length;
  const share = words.length === 0 ? 0 : spanish / words.length;
  const language = request.language ?? (share > 0.5 ? 'es' : 'en');
  // A sentence in another language is not heard among many.
  const certain = share < 0.3 && request.language === null;
  return {
    ...rest,
    language,
    // A recogniser of another language writes other words.
    words: request.detectionOnly
      ? []
      : words.map((each) => ({ ...each, word: `${language}:${each.word}` })),
    languages: certain ? null : { en: 0.98 - 0.96 * share, es: 0.02 + 0.96 * share },
    english: 8 - 13 * share,
    englishParts: { least: spanish > 0 ? -5 : 5, most: spanish < words.length ? 5 : -5 },
  };
}

/** @param values of the words, one every 2 s, each 1.5 s long */
function settled(...values: readonly number[]) {
  return settledBy(hear, values);
}

/** @param beforeSamples of silence around the first chunk */
async function settledBy(analyze: typeof hear, values: readonly number[], beforeSamples = 0) {
  const pool = createFakePool({ analyze });
  const seconds = values.length * 2;
  const words = values.map((value, i) => {
    return { value, startSeconds: i * 2, endSeconds: i * 2 + 1.5 };
  });
  const pcm = spoken(seconds, words);
  const chunks = Array.from({ length: seconds / chunkSeconds }, (_, index) => ({
    ...{ index, spans: [] },
    startSample: index * chunkSeconds * sampleRate,
    endSample: (index + 1) * chunkSeconds * sampleRate,
    ...(index === 0 && beforeSamples > 0 && { silence: { beforeSamples, afterSamples: 0 } }),
  }));
  const read = async ({ startSample = 0, endSample = 0 }) => pcm.subarray(startSample, endSample);
  const analyzed: AnalyzedChunk[] = [];
  for (const chunk of chunks) {
    const own = await readChunk(read, chunk);
    analyzed.push(await analyzeChunk(pool, { request, chunk, pcm: own, job }));
  }
  const plan = { chunks, segments: null, speakers: null, speechSeconds: seconds };
  const audio = { samples: pcm.length, sourceSamples: pcm.length, sourceRate: sampleRate };
  const recording = { request, plan, chunks: analyzed, read, job, audio };
  const before = pool.of('analyze').length;
  asked.length = 0;
  const parts = await resolveLanguages(pool, recording as never);
  return {
    parts,
    text: parts.flatMap((part) => part.words.map(({ word }) => word)).join(' '),
    again: pool.of('analyze').length - before,
  };
}

test.serial('a recording in one language is recognised once', async (t) => {
  const { again, parts } = await settled(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  t.is(again, 0);
  t.is(parts.length, 2);
});

test.serial('each word is written in its language where a chunk holds the change', async (t) => {
  const call = [1, 2, 3, 4, 5, 6, 7, 101, 102, 103, 104, 105, 106, 107, 108];
  const { text, parts } = await settled(...call);
  t.is(text, call.map((value) => `${value < 100 ? 'en' : 'es'}:w${value}`).join(' '));
  t.deepEqual(
    parts.map(({ index, language }) => [index, language]),
    [
      [0, 'en'],
      [1, 'en'],
      [1, 'es'],
      [2, 'es'],
    ],
  );
  const starts = parts.flatMap(({ words }) => words.map(({ start }) => start));
  t.deepEqual(
    starts,
    call.map((_, i) => i * 2),
  );
});

test.serial('in a piece, too, no word begins before the recording', async (t) => {
  const early: typeof hear = async (pcm, own) => {
    const analysis = await hear(pcm, own);
    // As an aligner does whose frames reach over the border.
    const words = analysis.words.map((word) => ({ ...word, start: word.start - 0.012 }));
    return { ...analysis, words };
  };
  const call = [1, 2, 101, 102, 103];
  const { parts, text } = await settledBy(early, call, sampleRate / 2);
  t.is(text, 'en:w1 en:w2 es:w101 es:w102 es:w103');
  t.deepEqual(
    parts.flatMap(({ words }) => words.map(({ start }) => start.toFixed(3))),
    ['0.000', '1.988', '3.988', '5.988', '7.988'],
  );
});

test.serial('a sentence in another language within a chunk is found', async (t) => {
  const { text } = await settled(1, 2, 101, 102, 103);
  t.is(text, 'en:w1 en:w2 es:w101 es:w102 es:w103');
  const recognised = asked.filter(({ detectionOnly }) => !detectionOnly);
  t.deepEqual(
    recognised.map(({ language }) => language),
    ['en', 'es'],
    'the pieces are detected, and each language is recognised once',
  );
});

test.serial(
  'a turn in another language among English ones is found, and one in English',
  async (t) => {
    const { text } = await settled(1, 2, 101, 3, 4);
    t.is(text, 'en:w1 en:w2 es:w101 en:w3 en:w4');
    const other = await settled(101, 102, 103, 1, 104, 105, 106, 107, 108, 109);
    t.is(other.text.split(' ')[3], 'en:w1');
    t.is(other.text.match(/en:/g)?.length, 1);
  },
);

test.serial('others suggest a language, but what is read in it has to make sense', async (t) => {
  const english = { en: 0.25, es: 0.7, it: 0.05 };
  const chunkIn = (index: number, language: string, confidence: number): AnalyzedChunk => ({
    ...{ index, language, english: language === 'en' ? 9 : -1, scored: [], written: null },
    languages: language === 'en' ? null : english,
    words: [{ word: `${language}-first`, start: 10 * index, end: 10 * index + 1, confidence }],
    inferenceMs: 1,
  });
  const resolved = async (confidence: number, words: number) => {
    const again = { word: 'en-again', start: 0, end: 1, confidence };
    const pool = createFakePool({
      analyze: async () => ({
        ...{ language: 'en', languages: null, english: 1, written: null, scored: [] },
        ...{ words: Array.from({ length: words }, () => again), inferenceMs: 1 },
      }),
    });
    const chunks = [0, 1, 2, 3].map((i) => chunkIn(i, i === 2 ? 'es' : 'en', i === 2 ? 0.6 : 0.9));
    const planned = chunks.map(({ index }) => ({
      ...{ index, spans: [], startSample: index * chunkSeconds * sampleRate },
      endSample: (index + 1) * chunkSeconds * sampleRate,
    }));
    const plan = { chunks: planned, segments: null, speakers: null, speechSeconds: 40 };
    const read = async () => new Int16Array(sampleRate);
    const parts = await resolveLanguages(pool, { request, plan, chunks, read, job } as never);
    return parts[2]!.words.map(({ word }) => word).join(' ');
  };
  t.is(await resolved(0.5, 1), 'es-first');
  t.is(await resolved(0.7, 1), 'en-again');
  t.is(await resolved(0, 0), 'es-first', 'what was heard surely is not given up');
});

test.serial('a chunk that Moonshine has not read is heard before it is cut', async (t) => {
  const parts = async (most: number) => {
    const requests: ChunkRequest[] = [];
    const pool = createFakePool({
      analyze: async (_, own) => {
        requests.push(own);
        const none = { words: [], language: null, languages: null, english: null };
        return {
          ...none,
          englishParts: { least: -8, most },
          ...{ written: null, scored: [] },
          inferenceMs: 1,
        };
      },
    });
    const chunkIn = (index: number, language: string): AnalyzedChunk => ({
      ...{ index, language, scored: [], written: null, inferenceMs: 1 },
      ...(language === 'en'
        ? { languages: null, english: 9 }
        : { languages: { en: 0.01, es: 0.99 } }),
      words: [{ word: 'one', start: 10 * index, end: 10 * index + 1, confidence: 0.9 }],
    });
    const chunks = [chunkIn(0, 'es'), chunkIn(1, 'es'), chunkIn(2, 'en')];
    const planned = chunks.map(({ index }) => ({
      ...{ index, spans: [], startSample: index * chunkSeconds * sampleRate },
      endSample: (index + 1) * chunkSeconds * sampleRate,
    }));
    const plan = { chunks: planned, segments: null, speakers: null, speechSeconds: 30 };
    const read = async () => new Int16Array(4 * sampleRate);
    await resolveLanguages(pool, { request, plan, chunks, read, job } as never);
    const heard = requests.filter(({ englishParts }) => englishParts);
    t.true(heard.every(({ words }) => !words));
    return [heard.length, pool.of('voiceActivity').length];
  };
  t.deepEqual(await parts(-2), [2, 1], 'the English chunk alone is cut');
  t.deepEqual(await parts(2), [2, 3]);
});

test.serial('pieces of a chunk that only sounds like English are heard by Whisper', async (t) => {
  const misheard: typeof hear = async (pcm, own) => {
    const analysis = await hear(pcm, own);
    // Where English is unlikely, Whisper is asked first, and Moonshine hears what that finds.
    if (own.unlikelyEnglish) return { ...analysis, english: null, englishParts: null };
    const sounds = { ...analysis, english: 8, englishParts: { least: 5, most: 5 } };
    // Detected alone a piece is clearly English, and Whisper is not asked.
    return own.detectionOnly ? { ...sounds, language: 'en', languages: null } : sounds;
  };
  const { text } = await settledBy(misheard, [101, 102, 103, 104, 105]);
  t.is(text, 'es:w101 es:w102 es:w103 es:w104 es:w105');
});
