// Whether decoded text is plausible speech: repetition loops and babble on noise are dropped.
import { bareWord, type Word } from './transcript.ts';
import type { DecodedToken } from './spelled-words.ts';

export interface DecodedChunk {
  /** False when the decoder hit its token limit. */
  readonly ended: boolean;
  readonly durationSeconds: number;
}

/** A chunk with a lower mean log-probability is dropped. */
const minMeanLogProbability = -1.6;
/**
 * A chunk of a few tokens needs a higher mean: music taken for speech yields "You" at -1.0, while
 * correct one-word telephone prompts are above -0.8 (docs/adr/0083).
 */
const fewTokens = 3;
const minMeanOfFew = -0.8;

/**
 * So many equal n-grams in a row are a loop of a text that has not ended, or has more tokens than
 * anybody says ...
 */
const maxRepeats = 5;
const maxTokensPerSecond = 5.5;
/** ... and so many of any other: a card number may have sixteen equal digits. */
const maxSpokenRepeats = 20;
/** Loops of babble have phrases of up to 16 tokens. */
const maxPeriodTokens = 24;
/** Before a loop; fewer are a part of it. */
const leastBeforeLoop = 4;

/**
 * A phrase that is written again is likely each time, whatever is heard, so a text with repeats is
 * judged by its other tokens. Those of many voices at once are below this mean, those of somebody
 * who says a thing several times are above it (docs/adr/0083).
 */
const minMeanBesideRepeats = -0.6;
/** Somebody who says a sentence three times is less rare. */
const minMeanBesideThree = -0.8;
/** A phrase of so many tokens is a sentence or most of one; fewer are a word or two. */
const sentenceTokens = 5;

/**
 * The tokens of plausible speech: none of a looping or very unlikely sequence, and of one that
 * began to loop and never ended those up to the loop, whose words were heard.
 */
export function plausibleTokens<T extends DecodedToken>(
  { ended, durationSeconds }: DecodedChunk,
  tokens: readonly T[],
): readonly T[] {
  const isSpoken = ended && tokens.length <= maxTokensPerSecond * durationSeconds;
  const most = isSpoken ? maxSpokenRepeats : maxRepeats - (ended ? 0 : 1);
  const loops = runsOf(tokens.map(({ id }) => id)).filter((run) => {
    return run.repeats >= most || isDoubtful(run, tokens);
  });
  if (loops.length === 0) return isLikely(tokens) ? tokens : [];
  const loop = loops.reduce((a, b) => (repeatedTokens(b) > repeatedTokens(a) ? b : a));
  if (ended || loop.start < leastBeforeLoop) return [];
  const kept = tokens.slice(0, loop.start + loop.period);
  return meanOf(kept) >= minMeanBesideRepeats ? kept : [];
}

/** True if what is repeated was hardly heard the first time. */
function isDoubtful(run: Run, tokens: readonly DecodedToken[]): boolean {
  const { start, period, repeats } = run;
  if (repeats < (period >= sentenceTokens ? 3 : maxRepeats)) return false;
  const again = start + period;
  const beside = [...tokens.slice(0, again), ...tokens.slice(again + repeatedTokens(run))];
  return meanOf(beside) < (repeats === 3 ? minMeanBesideThree : minMeanBesideRepeats);
}

function isLikely(tokens: readonly DecodedToken[]): boolean {
  if (tokens.length === 0) return false;
  return meanOf(tokens) >= (tokens.length <= fewTokens ? minMeanOfFew : minMeanLogProbability);
}

function meanOf(tokens: readonly DecodedToken[]): number {
  return tokens.reduce((sum, t) => sum + t.logProbability, 0) / tokens.length;
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

/** The largest number of consecutive repetitions of one n-gram (1 to 24 tokens). */
export function longestRepeat(ids: readonly number[]): number {
  const least = ids.length === 0 ? 0 : 1;
  return runsOf(ids).reduce((most, { repeats }) => Math.max(most, repeats), least);
}

/** An n-gram that follows itself. */
interface Run {
  readonly repeats: number;
  readonly start: number;
  /** Of the n-gram, in tokens. */
  readonly period: number;
}

/** Beside the n-gram itself. */
function repeatedTokens({ repeats, period }: Run): number {
  return (repeats - 1) * period;
}

/** Of each length the n-gram that is repeated most often in a row, if any is. */
function runsOf(ids: readonly number[]): readonly Run[] {
  const runs: Run[] = [];
  for (let period = 1; period <= maxPeriodTokens; period += 1) {
    let longest: Run = { repeats: 1, start: 0, period };
    let matching = 0;
    for (let i = period; i < ids.length; i += 1) {
      matching = ids[i] === ids[i - period] ? matching + 1 : 0;
      const repeats = Math.floor(matching / period) + 1;
      if (repeats > longest.repeats)
        longest = { repeats, start: i - matching - period + 1, period };
    }
    if (longest.repeats > 1) runs.push(longest);
  }
  return runs;
}

/**
 * The share of neighbouring words that are a pair for the first time, 0-1: speech in a language
 * that a recogniser does not know is written as a few phrases, over and over.
 * @param words at least one
 */
export function distinctPairs(words: readonly Pick<Word, 'word'>[]): number {
  const bare = words.map(({ word }) => bareWord(word));
  return new Set(bare.map((word, i) => `${word} ${bare[i + 1] ?? ''}`)).size / bare.length;
}
