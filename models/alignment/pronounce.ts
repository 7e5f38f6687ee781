// Maps written words to what may be said for them, and that to phones.
import { letterPhones, type LetterRules } from './letter-to-phone.ts';
import type { Lexicon } from './lexicon.ts';
import { spokenParts } from './spoken-parts.ts';

/** Phones of a spoken word, once for each way to pronounce it. */
export type Pronunciations = readonly (readonly number[])[];

/**
 * A part of a written word: its readings, of which one is said, each in spoken words; an empty
 * reading leaves it out.
 */
export type SpokenPart = readonly (readonly Pronunciations[])[];

export interface Pronouncer {
  /** The parts of each written word; none with phones for what is not spoken, such as a dash. */
  partsOf(written: readonly string[]): readonly (readonly SpokenPart[])[];
}

/** @param phones ARPAbet names, in the order of the aligner's classes */
export function createPronouncer(
  lexicon: Lexicon,
  rules: LetterRules,
  phones: readonly string[],
): Pronouncer {
  const indices = new Map(phones.map((phone, index) => [phone, index]));
  const pronounce = (word: string): Pronunciations => {
    const known = lexicon.lookUp(word);
    if (known.length > 0) return known;
    return [letterPhones(word, rules).flatMap((name) => indices.get(name) ?? [])];
  };
  const read = (reading: string): readonly Pronunciations[] =>
    reading === '' ? [] : reading.split(' ').map(pronounce);
  return {
    partsOf: (written) =>
      spokenParts(written).map((parts) => parts.map((readings) => readings.map(read))),
  };
}
