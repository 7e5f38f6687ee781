// Measures of utterance fluency, from a text aligned to its recording (Skehan 2003; De Jong 2016);
// pure.
import { bareWord } from '../asr/transcript.ts';
import type { PronouncedWord } from './pronounced-word.ts';

/** The pause threshold of fluency research; shorter gaps belong to articulation. */
const pauseSeconds = 0.25;
const fillers = /^(u+h+|u+m+|e+r+m*|a+h+|h+m+|m+(m|h+m+)|e+h+)$/i;
const diversityWindow = 50;

/** The keys of `features`, which docs/api.md explains. */
export interface FluencyMeasures {
  readonly speech_rate_wpm: number;
  readonly articulation_rate_sps: number;
  readonly articulation_rate_pps: number;
  readonly silent_pauses_per_minute: number;
  readonly mean_silent_pause_s: number;
  readonly filled_pauses_per_minute: number;
  readonly mean_length_of_run_words: number;
  readonly phonation_ratio: number;
  readonly lexical_diversity: number;
  readonly vowel_npvi: number;
}

/** @param words in order; those that are not spoken are ignored */
export function measureFluency(words: readonly PronouncedWord[]): FluencyMeasures {
  const spoken = words.filter(({ phones }) => phones > 0);
  const fluent = spoken.filter(({ word }) => !fillers.test(bareWord(word)));
  const totalSeconds = Math.max(0.001, (spoken.at(-1)?.end ?? 0) - (spoken[0]?.start ?? 0));
  const pauses = spoken
    .slice(1)
    .map(({ start }, i) => start - spoken[i]!.end)
    .filter((gap) => gap >= pauseSeconds);
  const silent = pauses.reduce((sum, gap) => sum + gap, 0);
  const phonation = Math.max(0.001, totalSeconds - silent);
  const syllables = spoken.reduce((sum, { vowelSeconds }) => sum + vowelSeconds.length, 0);
  const minutes = totalSeconds / 60;
  return {
    speech_rate_wpm: fluent.length / minutes,
    articulation_rate_sps: syllables / phonation,
    articulation_rate_pps: spoken.reduce((sum, { phones }) => sum + phones, 0) / phonation,
    silent_pauses_per_minute: pauses.length / minutes,
    mean_silent_pause_s: pauses.length === 0 ? 0 : silent / pauses.length,
    filled_pauses_per_minute: (spoken.length - fluent.length) / minutes,
    mean_length_of_run_words: spoken.length / (pauses.length + 1),
    // A recording without speech has no phonation.
    phonation_ratio: spoken.length === 0 ? 0 : phonation / totalSeconds,
    lexical_diversity: lexicalDiversity(fluent.map(({ word }) => bareWord(word))),
    vowel_npvi: pairwiseVariability(spoken),
  };
}

/** Moving-average type-token ratio over windows of 50 words (Covington and McFall 2010). */
function lexicalDiversity(words: readonly string[]): number {
  if (words.length === 0) return 0;
  const size = Math.min(diversityWindow, words.length);
  let sum = 0;
  for (let from = 0; from + size <= words.length; from += 1) {
    sum += new Set(words.slice(from, from + size)).size / size;
  }
  return sum / (words.length - size + 1);
}

/**
 * Normalised pairwise variability of neighbouring vowels, in percent (Low, Grabe and Nolan 2000).
 * It is high when stressed and unstressed syllables differ, as in English. Vowels separated by a
 * pause are not compared.
 */
function pairwiseVariability(words: readonly PronouncedWord[]): number {
  let sum = 0;
  let pairs = 0;
  let previous: number | null = null;
  words.forEach(({ start, vowelSeconds }, i) => {
    if (i > 0 && start - words[i - 1]!.end >= pauseSeconds) previous = null;
    for (const vowel of vowelSeconds) {
      if (previous !== null && previous + vowel > 0) {
        sum += Math.abs(previous - vowel) / ((previous + vowel) / 2);
        pairs += 1;
      }
      previous = vowel;
    }
  });
  return pairs === 0 ? 0 : (100 * sum) / pairs;
}
