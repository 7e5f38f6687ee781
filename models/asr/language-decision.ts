// Which language a chunk is in: English if its recogniser is certain, otherwise Whisper's
// detection, each combined with the prior of the recording; pure.
import type { LanguageProbabilities } from './transcript.ts';
import { likeliestLanguage } from './whisper/language-choice.ts';
import type { SpelledWord } from './vocab.ts';

/**
 * Natural logarithms of the languages' prior odds before a chunk is recognised, by code; 0 for a
 * code that is not listed.
 */
export type LanguagePrior = Readonly<Record<string, number>>;

/** Log-odds from which a chunk is English and nobody else listens. */
const surelyEnglish = 2;
/** Log-odds of the sound alone below which Moonshine need not try to write it down. */
const surelyOther = -1.2;
/** Whisper's probabilities are tempered, because it is overconfident on short clips. */
const trust = 0.6;
/**
 * Weights of the head's log-odds and of the words' mean log-probability: chosen on voices that the
 * head was not trained on, so that no sentence of theirs in another language passes for English.
 */
const ofEnglish = { sound: 0.3, words: 3, offset: 2.9 };
/** Mean log-probability that stands for words where none make sense. */
const nothingUnderstood = -2;

/** Log-odds that a chunk is English, from its sound and its words as Moonshine spells them. */
export function englishOdds(sound: number, words: readonly SpelledWord[]): number {
  const sum = words.reduce((total, { meanLogProbability }) => total + meanLogProbability, 0);
  const mean = words.length === 0 ? nothingUnderstood : sum / words.length;
  return ofEnglish.sound * sound + ofEnglish.words * mean + ofEnglish.offset;
}

/** The same from its sound alone. */
export function englishOddsOfSound(sound: number): number {
  return ofEnglish.sound * sound;
}

/** True where the sound and the recording's prior leave no doubt that it is not English. */
export function isSurelyOther(sound: number, prior: LanguagePrior): boolean {
  return englishOddsOfSound(sound) + leadOfEnglish(prior) < surelyOther;
}

/** True where a chunk's odds and the recording's prior leave no doubt that it is. */
export function isSurelyEnglish(odds: number, prior: LanguagePrior): boolean {
  return odds + leadOfEnglish(prior) > surelyEnglish;
}

/** By how much the prior has English before the likeliest other language. */
function leadOfEnglish(prior: LanguagePrior): number {
  const others = Object.entries(prior).map(([code, weight]) => (code === 'en' ? 0 : weight));
  return (prior.en ?? 0) - Math.max(0, ...others);
}

export interface LanguageEvidence {
  /**
   * Whisper's detection. Implausible English words are no evidence against English: accents are
   * hard for Moonshine, and Whisper knows them.
   */
  readonly heard: LanguageProbabilities;
  readonly prior: LanguagePrior;
}

/** The likeliest language, by code. */
export function decideLanguage(evidence: LanguageEvidence): string {
  return likeliestLanguage(likelihoods(evidence))!;
}

/** Log-likelihood of a language that Whisper has detected with this probability. */
export function detectionScore(probability: number): number {
  return trust * Math.log(Math.max(probability, 1e-9));
}

/** The posterior probability of each language; the sum is 1. */
export function likelihoods({ heard, prior }: LanguageEvidence): LanguageProbabilities {
  const scores = Object.entries(heard).map(([code, probability]) => {
    return [code, detectionScore(probability) + (prior[code] ?? 0)] as const;
  });
  const most = Math.max(...scores.map(([, score]) => score));
  const sum = scores.reduce((total, [, score]) => total + Math.exp(score - most), 0);
  return Object.fromEntries(scores.map(([code, score]) => [code, Math.exp(score - most) / sum]));
}
