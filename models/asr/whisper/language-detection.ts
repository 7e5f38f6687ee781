// The language of a chunk according to Whisper: the likeliest language token; pure.
import type { LanguageProbabilities } from '../transcript.ts';
import { sharesOf } from '../softmax.ts';

/**
 * A code, or the function that selects one from Whisper's probabilities; null transcribes nothing.
 */
export type LanguageChoice = string | ((detected: LanguageProbabilities) => string | null);

/**
 * @param logits after the token that starts a transcript, [vocabulary]
 * @param tokens of the candidate languages, by code
 */
export function languageProbabilities(
  logits: Float32Array,
  tokens: Readonly<Record<string, number>>,
): LanguageProbabilities {
  return sharesOf(Object.entries(tokens).map(([code, token]) => [code, logits[token]!]));
}

/** The first of the likeliest. */
export function likeliestLanguage(detected: LanguageProbabilities): string | null {
  const entries = Object.entries(detected);
  const [first] = entries;
  if (!first) return null;
  return entries.reduce((best, candidate) => (candidate[1] > best[1] ? candidate : best))[0];
}
