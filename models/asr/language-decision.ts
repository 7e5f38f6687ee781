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
/** Log-odds of a chunk in which no English word was understood. */
const nothingUnderstood = -3;

/** Log-odds that a chunk is English, from its words as the English recogniser spells them. */
export function englishOdds(words: readonly SpelledWord[]): number {
  if (words.length === 0) return nothingUnderstood;
  const sum = words.reduce((total, { meanLogProbability }) => total + meanLogProbability, 0);
  return 8 * (sum / words.length) + 6;
}

/** True where the recording's prior and the English words leave no doubt. */
export function isSurelyEnglish(odds: number, prior: LanguagePrior): boolean {
  const others = Object.entries(prior).map(([code, weight]) => (code === 'en' ? 0 : weight));
  return odds + (prior.en ?? 0) - Math.max(0, ...others) > surelyEnglish;
}

export interface LanguageEvidence {
  /**
   * As Whisper hears the chunk. English words that make little sense say nothing against English:
   * accents are hard for Moonshine, and Whisper knows them.
   */
  readonly heard: LanguageProbabilities;
  readonly prior: LanguagePrior;
}

/** The likeliest language, by code. */
export function decideLanguage(evidence: LanguageEvidence): string {
  const entries = Object.entries(likelihoods(evidence));
  return entries.reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}

/** How likely each language is with all that is known; the sum is 1. */
export function likelihoods({ heard, prior }: LanguageEvidence): LanguageProbabilities {
  const scores = Object.entries(heard).map(([code, probability]) => {
    const said = trust * Math.log(Math.max(probability, 1e-9));
    return [code, said + (prior[code] ?? 0)] as const;
  });
  const most = Math.max(...scores.map(([, score]) => score));
  const sum = scores.reduce((total, [, score]) => total + Math.exp(score - most), 0);
  return Object.fromEntries(scores.map(([code, score]) => [code, Math.exp(score - most) / sum]));
}
