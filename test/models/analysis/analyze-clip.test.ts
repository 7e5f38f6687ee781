// A clip with as many pauses as a long recording is asked of Whisper first, as that is.
import test from 'ava';
import { analyzeClip } from '../../../models/analysis/analyze-clip.ts';
import type { ChunkRequest } from '../../../models/inference/jobs.ts';
import { hopSamples } from '../../../models/vad/hops.ts';
import { createFakePool } from '../../support/fake-pool.ts';

const job = { organizationId: 'org', priority: 3 } as const;
const options = { diarize: false, numSpeakers: null, includeLogits: false };
const request = { task: 'transcription', model: 'svc-resonance', options } as const;
/** A second of speech and two of silence, which no chunk spans. */
const [spokenHops, allHops] = [32, 96];

/** @returns what the pool was asked for, in order, and the number of chunks with an answer */
async function askedOf(pauses: number) {
  const asked: ChunkRequest[] = [];
  const inner = createFakePool();
  const pool = createFakePool({
    analyze: async (pcm, each) => {
      asked.push(each);
      const languages = { en: 0.1, es: 0.9 };
      const analysis = await inner.analyze(pcm, each, job);
      return { ...analysis, words: [], language: null, languages };
    },
  });
  const probabilities = Float32Array.from({ length: pauses * allHops }, (_, hop) =>
    hop % allHops < spokenHops ? 0.95 : 0.01,
  );
  const samples = probabilities.length * hopSamples;
  const audio = { samples, sourceSamples: samples, sourceRate: 16_000 };
  const pcm = new Int16Array(samples);
  const { chunks } = await analyzeClip(
    pool,
    { request, audio, pcm, probabilities: [probabilities], outline: null },
    job,
  );
  return { asked, analyzed: chunks.length };
}

test('of 60 chunks four are heard first, and all are read in what they agree on', async (t) => {
  const { asked, analyzed } = await askedOf(60);
  t.is(analyzed, 60);
  t.is(asked.filter(({ detectionOnly }) => detectionOnly).length, 4);
  const read = asked.filter(({ detectionOnly }) => !detectionOnly);
  t.is(read.length, 60);
  t.true(read.every(({ unlikelyEnglish, prior }) => unlikelyEnglish && prior?.es === 2));
});

test('of fewer none is', async (t) => {
  const { asked } = await askedOf(20);
  t.is(asked.length, 20);
  t.false(asked.some(({ detectionOnly, unlikelyEnglish }) => detectionOnly ?? unlikelyEnglish));
});
