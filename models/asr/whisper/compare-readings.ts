// Which language short speech is in, by what it reads as in the likeliest ones: Whisper's detection
// alone takes two seconds of Spanish for Italian, although it writes them in better Spanish.
import { sharesOf } from '../softmax.ts';
import type { LanguageProbabilities } from '../transcript.ts';
import { compressionRatio, maxCompressionRatio } from './acceptance.ts';
import {
  attempt,
  type Attempt,
  type AttemptOptions,
  type EncodedChunk,
  type WhisperModel,
} from './attempt.ts';
import { rowsOfChunk } from './decoder.ts';
import type { WhisperEncoding } from './encoder.ts';
import { never } from './sampling.ts';

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

/** What a chunk reads as in a language. */
export interface Reading {
  readonly text: string;
  readonly ended: boolean;
  readonly meanLogProbability: number;
}

export interface ChunkToCompare extends EncodedChunk {
  readonly encoding: WhisperEncoding;
  /** null leaves the detection as it is. */
  readonly language: (detected: LanguageProbabilities) => string | null;
}

/**
 * The reading in the likeliest language, after short speech was read in several.
 * @param options attention: with that of the reading, from which word times are computed
 * @returns null where the detected language is not doubted, and nothing was read
 */
export async function compareReadings(
  model: WhisperModel,
  chunk: ChunkToCompare,
  { attention }: Pick<AttemptOptions, 'attention'>,
): Promise<Attempt | null> {
  const greedy = { temperature: 0, random: never, attention };
  const read = (chunks: readonly EncodedChunk[]): Promise<readonly Attempt[]> => {
    const batch = rowsOfChunk(model.decoder, chunk.encoding, chunks.length);
    return attempt(model, batch, { chunks, ...greedy }).finally(() => batch.close());
  };
  const [detection] = await read([{ ...chunk, language: () => null }]);
  const detected = detection!.languages;
  const first = chunk.language(detected);
  if (first === null) return detection!;
  if ((detected[first] ?? 0) > sure) return null;
  const codes = Object.keys(detected)
    .toSorted((one, other) => detected[other]! - detected[one]!)
    .slice(0, readings);
  const found = await read(codes.map((language) => ({ ...chunk, language })));
  const texts = new Map(found.map(({ written }, i) => [codes[i]!, written!]));
  const languages = reweighed(detected, texts);
  const chosen = chunk.language(languages);
  const own = found[codes.indexOf(chosen ?? '')] ?? detection!;
  return { ...own, languages };
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
  return sharesOf(scores);
}

function valueOf(reading: Reading | undefined): number {
  if (!reading || reading.text === '' || !reading.ended) return unread;
  if (compressionRatio(reading.text) > maxCompressionRatio) return unread;
  return Math.max(unread, reading.meanLogProbability);
}
