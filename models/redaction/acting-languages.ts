// The languages whose words count at a place of a transcript. A language is left out only where the
// text itself is plainly in the one that it is said to be in: elsewhere all of them count.
import { languages, listOf, mixedIn } from './languages/languages.ts';
import type { ReadWord, SpokenWord } from './kinds.ts';
import { bare } from './tokens.ts';

/** Frequent words are looked for among so many words on either side. */
const reach = 4;
/** Of the language said, that are none of the other one; the other one has fewer than half. */
const minOwnWords = 2;
/** Of a language that nobody said it is in. */
const minHeardWords = 2;

const codes = languages.map(({ code }) => code);
/** The languages of frequent words, a bit each. */
const bitsOf = new Map<string, number>();
for (const [i, { common }] of languages.entries())
  for (const word of listOf(common)) bitsOf.set(word, (bitsOf.get(word) ?? 0) | (1 << i));

export interface Reading {
  readonly words: readonly ReadWord[];
  /** Languages that are spoken somewhere, plainly, where another one is said to be. */
  readonly heard: readonly string[];
}

/** @param words of everybody, by start */
export function readLanguages(words: readonly SpokenWord[]): Reading {
  const bits = words.map(({ word }) => bitsOf.get(bare(word)) ?? 0);
  const heard = new Set<string>();
  const read = words.map((word, i): ReadWord => {
    const own = codes.indexOf(word.language);
    const near: number[] = [];
    for (let at = Math.max(0, i - reach); at <= Math.min(words.length - 1, i + reach); at += 1)
      if (bits[at] !== 0 && words[at]!.language === word.language) near.push(bits[at]!);
    const acting = codes.filter((code, other) => {
      const { ofOwn, ofOther } = compare(near, own, other);
      if (ofOther >= minHeardWords && ofOther > 2 * ofOwn) heard.add(code);
      return own === -1 || other === own || ofOwn < minOwnWords || ofOwn <= 2 * ofOther;
    });
    return { ...word, language: numeralLanguage(word), languages: acting };
  });
  return { words: read, heard: [...heard] };
}

/** Frequent words of each of two languages that are none of the other one. */
function compare(near: readonly number[], own: number, other: number) {
  // Of a language without words here none is known.
  const ownBit = own === -1 ? 0 : 1 << own;
  const otherBit = 1 << other;
  let [ofOwn, ofOther] = [0, 0];
  for (const bits of near) {
    if ((bits & ownBit) !== 0 && (bits & otherBit) === 0) ofOwn += 1;
    if ((bits & otherBit) !== 0 && (bits & ownBit) === 0) ofOther += 1;
  }
  return { ofOwn, ofOther };
}

/** In which a word may be a number: between Russian and English letters decide. */
export function numeralLanguage({ word, language }: SpokenWord): string {
  if (/\p{Script=Cyrillic}/u.test(word)) return 'ru';
  return language === 'ru' && /\p{Script=Latin}/u.test(word) ? mixedIn : language;
}
