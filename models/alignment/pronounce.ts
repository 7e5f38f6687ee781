// Maps written words to phones: numbers are spelled out, punctuation dropped, compounds split.
import { letterPhones, type LetterRules } from './letter-to-phone.ts';
import type { Lexicon } from './lexicon.ts';
import { numberWords } from './number-words.ts';

export interface Pronouncer {
  /** Phones of a written word as indices; [] for what is not spoken, such as a dash. */
  phonesOf(written: string): readonly number[];
}

const symbols: Readonly<Record<string, string>> = {
  '%': 'percent',
  '&': 'and',
  '+': 'plus',
  '@': 'at',
  '#': 'pound',
  '*': 'star',
  $: 'dollars',
  '€': 'euros',
  '£': 'pounds',
};

/** @param phones ARPAbet names, in the order of the aligner's classes */
export function createPronouncer(
  lexicon: Lexicon,
  rules: LetterRules,
  phones: readonly string[],
): Pronouncer {
  const indices = new Map(phones.map((phone, index) => [phone, index]));
  const spell = (word: string): readonly number[] =>
    lexicon.lookUp(word) ?? letterPhones(word, rules).flatMap((name) => indices.get(name) ?? []);
  return {
    phonesOf: (written) => spokenWords(written).flatMap(spell),
  };
}

/**
 * The words that are spoken for one written word: "$25.50" is read as dollars twenty five fifty.
 */
export function spokenWords(written: string): readonly string[] {
  return written
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[’‘]/g, "'")
    .replaceAll(/(\d),(?=\d{3})/g, '$1')
    .replaceAll(/(?<=\d)(st|nd|rd|th)\b/g, '')
    .replaceAll(/\d+/g, (digits) => ` ${numberWords(digits)} `)
    .replaceAll(/[%&+@#*$€£]/g, (symbol) => ` ${symbols[symbol]} `)
    .split(/[^a-z']+/)
    .map((word) => word.replaceAll(/^'+|(?<!')'+$/g, ''))
    .filter((word) => word !== '');
}
