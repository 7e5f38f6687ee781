// The language of a chunk: English if Moonshine recognises it with confidence, otherwise Whisper's
// detection; both are combined with the recording's prior; pure.
import type { EnglishHeadManifest } from '../bundles/manifest.ts';
import { meanConfidence } from './second-opinion.ts';
import { sharesOf } from './softmax.ts';
import type { LanguageProbabilities, Word } from './transcript.ts';
import { likeliestLanguage } from './whisper/language-detection.ts';
import type { SpelledWord } from './spelled-words.ts';

/**
 * Natural logarithms of the languages' prior odds before a chunk is recognised, by code; 0 for a
 * code that is not listed.
 */
export type LanguagePrior = Readonly<Record<string, number>>;

/** Above these log-odds a chunk is English, and Whisper is not run. */
const minEnglishLogOdds = 2.5;
/**
 * Above these log-odds is all English that was looked at, 297 clips, with an accent too; of speech
 * in Hindi, Japanese and Mandarin, which Whisper takes for English here, none is.
 */
const minUsualEnglishLogOdds = 1.5;
/** Below these log-odds nothing else makes a chunk English. */
const minPossibleLogOdds = -3;
/** Below these log-odds, computed before any word is decoded, Moonshine's decoder is not run. */
const minCandidateLogOdds = -1.2;
/** Below this mean confidence English words may be another language that sounds like it. */
const minSensibleConfidence = 0.55;
/** From this probability on another language is believed, however its words read. */
const sureProbability = 0.9;
/** Exponent of Whisper's probabilities, which are overconfident on short clips. */
const detectionWeight = 0.6;
/** Weights of the head's log-odds and of the words' mean log-probability, of each recogniser. */
export type EnglishOdds = EnglishHeadManifest['odds'];
/** Stands for the mean log-probability of the words when none are recognised. */
const emptyLogProbability = -2;

/**
 * Log-odds that a chunk is English.
 * @param soundLogOdds from the English head
 * @param words as Moonshine decodes them
 */
export function englishLogOdds(
  soundLogOdds: number,
  words: readonly SpelledWord[],
  odds: EnglishOdds,
): number {
  const sum = words.reduce((total, { meanLogProbability }) => total + meanLogProbability, 0);
  const mean = words.length === 0 ? emptyLogProbability : sum / words.length;
  return odds.sound * soundLogOdds + odds.words * mean + odds.offset;
}

/** The same from the English head alone, before any word is decoded. */
export function englishLogOddsOfSound(soundLogOdds: number, odds: EnglishOdds): number {
  return odds.sound * soundLogOdds;
}

/**
 * True if the English head and the recording's prior rule out English.
 * @param logOddsOfSound of English, weighed
 */
export function isClearlyNotEnglish(logOddsOfSound: number, prior: LanguagePrior): boolean {
  return logOddsOfSound + priorLogOdds(prior) < minCandidateLogOdds;
}

/** True if a chunk sounds so little like English that no other evidence makes it English. */
export function isNeverEnglish(logOdds: number): boolean {
  return logOdds < minPossibleLogOdds;
}

/** True if speech is less like English than an accent makes it, whatever other models say. */
export function isBeyondAccent(logOdds: number): boolean {
  return logOdds < minUsualEnglishLogOdds;
}

/** True if a chunk's log-odds and the recording's prior leave no doubt that it is English. */
export function isClearlyEnglish(logOdds: number, prior: LanguagePrior): boolean {
  return logOdds + priorLogOdds(prior) > minEnglishLogOdds;
}

/**
 * True if a chunk that sounds clearly like English has words that make little sense in it: Dutch
 * and German by voices that the English head was not trained on sound like English to it.
 */
export function isDoubtfulEnglish(words: readonly Word[]): boolean {
  return words.length > 0 && meanConfidence(words) < minSensibleConfidence;
}

/** A chunk as it reads in another language than English. */
export interface OtherReading {
  readonly language: string | null;
  readonly languages: LanguageProbabilities;
  readonly words: readonly Word[];
}

/** True if it takes the place of doubtful English. @param english words, at least one */
export function replacesEnglish(
  { language, languages, words }: OtherReading,
  english: readonly Word[],
): boolean {
  if (language === null || words.length === 0) return false;
  const isSure = (languages[language] ?? 0) >= sureProbability;
  return isSure || meanConfidence(words) > meanConfidence(english);
}

/** Prior log-odds of English against the likeliest other language. */
function priorLogOdds(prior: LanguagePrior): number {
  const others = Object.entries(prior).map(([code, weight]) => (code === 'en' ? 0 : weight));
  return (prior.en ?? 0) - Math.max(0, ...others);
}

export interface LanguageEvidence {
  /**
   * Whisper's detection. Implausible English words are no evidence against English, because
   * Moonshine recognises accents poorly while Whisper detects them well.
   */
  readonly detected: LanguageProbabilities;
  readonly prior: LanguagePrior;
}

/** The likeliest language, by code. */
export function decideLanguage(evidence: LanguageEvidence): string {
  return likeliestLanguage(languagePosteriors(evidence))!;
}

/** Log-likelihood of a language that Whisper has detected with this probability. */
export function detectionScore(probability: number): number {
  return detectionWeight * Math.log(Math.max(probability, 1e-9));
}

/** The posterior probability of each language; the sum is 1. */
export function languagePosteriors({ detected, prior }: LanguageEvidence): LanguageProbabilities {
  const scores = Object.entries(detected).map(([code, probability]) => {
    return [code, detectionScore(probability) + (prior[code] ?? 0)] as const;
  });
  return sharesOf(scores);
}
