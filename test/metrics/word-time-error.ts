// Errors of word times: recognised words are matched with known ones in order, then compared.
import { commonPairs } from './common-pairs.ts';
import { normaliseWords } from './text-normalisation.ts';

export interface TimedWord {
  readonly word: string;
  /** Seconds. */
  readonly start: number;
  readonly end: number;
}

export interface WordTimeErrors {
  readonly referenceWords: number;
  readonly matchedWords: number;
  /** Recognised minus true, in seconds, of the matched words. */
  readonly start: readonly number[];
  readonly end: readonly number[];
}

/**
 * Matches words by the longest common subsequence of their spellings. Only matched words have
 * times to compare; the others count in `referenceWords`.
 */
export function wordTimeErrors(
  reference: readonly TimedWord[],
  hypothesis: readonly TimedWord[],
): WordTimeErrors {
  const pairs = commonPairs(reference.map(spelling), hypothesis.map(spelling));
  return {
    referenceWords: reference.length,
    matchedWords: pairs.length,
    start: pairs.map(([r, h]) => hypothesis[h]!.start - reference[r]!.start),
    end: pairs.map(([r, h]) => hypothesis[h]!.end - reference[r]!.end),
  };
}

function spelling({ word }: TimedWord): string {
  return normaliseWords(word).join(' ');
}

/** Which recognised words are in the longest common subsequence with the reference. */
export function matchedWords(
  reference: readonly string[],
  hypothesis: readonly string[],
): Set<number> {
  return new Set(commonPairs(reference, hypothesis).map(([, h]) => h));
}

/** Share of errors within `seconds`. */
export function shareWithin(errors: readonly number[], seconds: number): number {
  return errors.filter((error) => Math.abs(error) <= seconds).length / Math.max(1, errors.length);
}
