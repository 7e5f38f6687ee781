// An inference pool that recognises words encoded in the samples: a run of equal samples is a word,
// named by its value; zeros are silence.
import { sampleRate } from '../../models/audio/sample-rate.ts';
import type { ChunkAnalysis, ChunkRequest } from '../../models/inference/jobs.ts';
import { hopSamples } from '../../models/vad/hops.ts';
import { scriptedPool, type ScriptedAnswers, type ScriptedPool } from './scripted-pool.ts';

const classes = 31;

export interface SpokenWord {
  readonly value: number;
  readonly startSeconds: number;
  readonly endSeconds: number;
}

/** Samples in which these words are spoken. */
export function spoken(seconds: number, words: readonly SpokenWord[]): Int16Array {
  const pcm = new Int16Array(seconds * sampleRate);
  for (const { value, startSeconds, endSeconds } of words) {
    pcm.fill(value, startSeconds * sampleRate, endSeconds * sampleRate);
  }
  return pcm;
}

export interface FakePool extends ScriptedPool {
  /** Samples of every chunk that was analysed, in the order of the calls. */
  readonly analyzed: readonly number[];
}

/** @param changes the answers in which this pool differs */
export function createFakePool(changes: ScriptedAnswers = {}): FakePool {
  const pool = scriptedPool({
    voiceActivity: async (pcm) => {
      const hops = Math.ceil(pcm.length / hopSamples);
      return Float32Array.from({ length: hops }, (_, hop) =>
        pcm.subarray(hop * hopSamples, (hop + 1) * hopSamples).some((s) => s !== 0) ? 0.99 : 0.01,
      );
    },
    analyze: async (pcm, request) => recognise(pcm, request),
    ...changes,
  });
  return {
    ...pool,
    get analyzed() {
      return pool.of('analyze').map(({ pcm }) => pcm.length);
    },
  };
}

function recognise(pcm: Int16Array, { words, text, head, spans }: ChunkRequest): ChunkAnalysis {
  const found = runsOf(pcm);
  const scoredSpans = head === null ? [] : (spans ?? [{ start: 0, end: pcm.length / sampleRate }]);
  return {
    words: words ? found.map((run) => ({ ...run, confidence: 0.9 })) : [],
    language: words ? 'en' : null,
    languages: null,
    english: null,
    written: text ? { text: found.map(({ word }) => word).join(' '), language: 'en' } : null,
    scored: scoredSpans.map((span) => ({ ...span, readings: new Float32Array(classes).fill(-1) })),
    inferenceMs: 10,
  };
}

function runsOf(pcm: Int16Array): { word: string; start: number; end: number }[] {
  const runs: { word: string; start: number; end: number }[] = [];
  let start = 0;
  for (let i = 1; i <= pcm.length; i += 1) {
    if (pcm[i] === pcm[start] && i < pcm.length) continue;
    if (pcm[start] !== 0) {
      runs.push({ word: `w${pcm[start]}`, start: start / sampleRate, end: i / sampleRate });
    }
    start = i;
  }
  return runs;
}
