// Which language short speech is in, by what it reads as in the likeliest ones: Whisper's detection
// alone takes two seconds of Spanish for Italian, although it writes them in better Spanish.
import type { LanguageProbabilities } from '../transcript.ts';
import { compressionRatio, maxCompressionRatio } from './acceptance.ts';
import { attempt, type EncodedChunk, type WhisperModel } from './attempt.ts';

/** As many languages are read, together. */
const readings = 6;
/** A more probable language is not doubted. */
const sure = 0.95;
/**
 * Logarithm of the factor for each unit of the mean log-probability of a reading. Fitted on half of
 * the voices (docs/adr/0033): from 6 to 12 nearly the same clips are right.
 */
const weight = 8;
/** Stands for the mean log-probability of a reading that loops, and of what was not read. */
const unread = -2.5;

const greedy = {
  temperature: 0,
  random: () => {
    throw new Error('greedy decoding needs no random numbers');
  },
  attention: false,
} as const;

/** What a chunk reads as in a language. */
export interface Reading {
  readonly text: string;
  readonly ended: boolean;
  readonly meanLogProbability: number;
}

/**
 * The probabilities of the languages, after short speech was read in the likeliest.
 * @param chunk its language: null leaves the detection as it is
 */
export async function compareReadings(
  model: WhisperModel,
  chunk: EncodedChunk & { readonly language: (detected: LanguageProbabilities) => string | null },
): Promise<LanguageProbabilities> {
  const [detection] = await attempt(model, [{ ...chunk, language: () => null }], greedy);
  const { languages } = detection!;
  const chosen = chunk.language(languages);
  if (chosen === null || (languages[chosen] ?? 0) > sure) return languages;
  const codes = Object.keys(languages)
    .toSorted((one, other) => languages[other]! - languages[one]!)
    .slice(0, readings);
  const rows = codes.map((language) => ({ ...chunk, language }));
  const read = await attempt(model, rows, greedy);
  return reweighed(languages, new Map(codes.map((code, i) => [code, read[i]!.written!])));
}

/** Probabilities of languages, given what was read in some of them; their sum is 1. */
export function reweighed(
  languages: LanguageProbabilities,
  read: ReadonlyMap<string, Reading>,
): LanguageProbabilities {
  const scores = Object.entries(languages).map(([code, probability]) => {
    return [
      code,
      Math.log(Math.max(probability, 1e-9)) + weight * valueOf(read.get(code)),
    ] as const;
  });
  const max = Math.max(...scores.map(([, score]) => score));
  const sum = scores.reduce((total, [, score]) => total + Math.exp(score - max), 0);
  return Object.fromEntries(scores.map(([code, score]) => [code, Math.exp(score - max) / sum]));
}

function valueOf(reading: Reading | undefined): number {
  if (!reading || reading.text === '' || !reading.ended) return unread;
  if (compressionRatio(reading.text) > maxCompressionRatio) return unread;
  return Math.max(unread, reading.meanLogProbability);
}
