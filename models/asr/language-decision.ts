// Which language a chunk is in: English where its recogniser is sure of what it wrote, else what
// Whisper hears, each weighed with what is known of the recording; pure.
import type { LanguageProbabilities } from './transcript.ts';
import type { SpelledWord } from './vocab.ts';

/**
 * Natural logarithms of how likely languages are before a chunk is heard, by code; what is not named
 * has 0.
 */
export type LanguagePrior = Readonly<Record<string, number>>;

/** Log-odds from which the English words stand and nobody else listens. */
const surelyEnglish = 1.5;
/** Less is believed of Whisper than it says: it is too sure of short clips. */
const trust = 0.6;
/** The words of another language are worth this much less than sure ones of English, at most. */
const mostAgainstEnglish = 3;

/** Log-odds that a chunk is English, from its words as the English recogniser spells them. */
export function englishOdds(words: readonly SpelledWord[]): number {
  if (words.length === 0) return -mostAgainstEnglish;
  const sum = words.reduce((total, { meanLogProbability }) => total + meanLogProbability, 0);
  return 8 * (sum / words.length) + 6;
}

/** True where the recording's prior and the English words leave no doubt. */
export function isSurelyEnglish(odds: number, prior: LanguagePrior): boolean {
  const others = Object.entries(prior).map(([code, weight]) => (code === 'en' ? 0 : weight));
  return odds + (prior.en ?? 0) - Math.max(0, ...others) > surelyEnglish;
}

export interface LanguageEvidence {
  /** As Whisper hears the chunk. */
  readonly heard: LanguageProbabilities;
  readonly prior: LanguagePrior;
  /** Of `englishOdds`. */
  readonly english: number;
}

/** The likeliest language, by code. */
export function decideLanguage({ heard, prior, english }: LanguageEvidence): string {
  const against = Math.max(-mostAgainstEnglish, english);
  const scores = Object.entries(heard).map(([code, probability]) => ({
    code,
    score:
      trust * Math.log(Math.max(probability, Number.MIN_VALUE)) +
      (prior[code] ?? 0) +
      (code === 'en' ? against : 0),
  }));
  return scores.reduce((best, each) => (each.score > best.score ? each : best)).code;
}
