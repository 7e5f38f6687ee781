// Whether decoded text is plausible speech: repetition loops and babble on noise are dropped.
import type { Word } from './transcript.ts';
import type { DecodedToken } from './vocab.ts';

export interface DecodedChunk {
  readonly tokens: readonly DecodedToken[];
  /** False when the decoder hit its token limit. */
  readonly ended: boolean;
  readonly durationSeconds: number;
}

/** A chunk with a lower mean log-probability is dropped. */
const minMeanLogProbability = -1.6;
/**
 * A chunk of a few tokens needs a higher mean: music taken for speech yields "You" at -1.0, while
 * correct one-word telephone prompts are above -0.8 (docs/BENCHMARKS.md).
 */
const fewTokens = 3;
const minMeanOfFew = -0.8;

/**
 * This many equal n-grams in a row are a loop, because no speaker repeats a phrase that often
 * in a chunk.
 */
const maxRepeats = 5;
const maxPeriodTokens = 8;

/** False for an empty, looping, truncated and repeating, or very unlikely token sequence. */
export function isPlausible({ tokens, ended }: DecodedChunk): boolean {
  if (tokens.length === 0) return false;
  const mean = tokens.reduce((sum, t) => sum + t.logProbability, 0) / tokens.length;
  if (mean < (tokens.length <= fewTokens ? minMeanOfFew : minMeanLogProbability)) return false;
  const repeats = longestRepeat(tokens.map((token) => token.id));
  return repeats < (ended ? maxRepeats : maxRepeats - 1);
}

/** Nobody says so many words in a second. */
const maxWordsPerSecond = 10;
/** Times of fewer words are too inexact for a rate. */
const minWordsForRate = 6;

/** False for a sentence in too little sound: a moment of music is written as one. */
export function fitsItsTime(words: readonly Pick<Word, 'start' | 'end'>[]): boolean {
  if (words.length < minWordsForRate) return true;
  return words.length <= maxWordsPerSecond * (words.at(-1)!.end - words[0]!.start);
}

/** The largest number of consecutive repetitions of one n-gram (1 to 8 tokens). */
export function longestRepeat(ids: readonly number[]): number {
  let longest = ids.length === 0 ? 0 : 1;
  for (let period = 1; period <= maxPeriodTokens; period += 1) {
    let matching = 0;
    for (let i = period; i < ids.length; i += 1) {
      matching = ids[i] === ids[i - period] ? matching + 1 : 0;
      longest = Math.max(longest, Math.floor(matching / period) + 1);
    }
  }
  return longest;
}
