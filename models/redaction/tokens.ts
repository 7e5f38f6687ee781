// Words as the digits, letters and names that they say.
import { numeralsOf } from '../numbers/languages.ts';
import { isCardNumber, maxCardDigits } from './checks.ts';
import { withHomophones } from './homophones.ts';
import type { SpokenWord } from './kinds.ts';
import { hyphenatedDigits, repeatedDigits, spokenDigits } from './spoken-digits.ts';

export interface Token {
  /** Lower case, without punctuation at its ends. */
  readonly text: string;
  /** The digits that it says; null for none. */
  readonly digits: string | null;
  /** Begins with a plus sign. */
  readonly isInternational: boolean;
  /** Indexes of its first and last word. */
  readonly first: number;
  readonly last: number;
}

/** Of the longest number: "quatre mille neuf cent quatre vingt dix neuf". */
const maxWords = 8;

/** Lower case, without punctuation at the ends; a plus sign before digits stays. */
export function bare(word: string): string {
  // Most words are, and each is read many times.
  if (/^[a-z0-9]+$/.test(word)) return word;
  return word
    .toLowerCase()
    .normalize('NFC')
    .replace(/^[^\p{L}\p{N}+]*(.*[\p{L}\p{N}])?.*$/su, '$1');
}

/** Alternatives as whole words: `\b` knows only ASCII letters, and é would end one. */
export function wholeWords(alternatives: string): string {
  return `(?<![\\p{L}\\p{N}])(?:${alternatives})(?![\\p{L}\\p{N}])`;
}

/** @param indexes words of one speaker, in order */
export function tokensOf(
  words: readonly SpokenWord[],
  indexes: readonly number[],
): readonly Token[] {
  const tokens: Token[] = [];
  const texts = indexes.map((index) => bare(words[index]!.word));
  for (let i = 0; i < indexes.length;) {
    const { token, count } = tokenAt(words, { indexes, texts }, i);
    tokens.push(token);
    i += count;
  }
  return withHomophones(words, withRepeats(words, tokens));
}

interface Match {
  readonly token: Token;
  /** Words of the token. */
  readonly count: number;
}

/** Words of one speaker, in order, and what `bare` makes of each. */
interface Said {
  readonly indexes: readonly number[];
  readonly texts: readonly string[];
}

function tokenAt(words: readonly SpokenWord[], said: Said, i: number): Match {
  const { indexes, texts } = said;
  const index = indexes[i]!;
  const text = texts[i]!;
  const written = cardWithin(text) ?? writtenDigits(text);
  const { language } = words[index]!;
  const make = (digits: string | null, count: number): Match => ({
    token: {
      text,
      digits,
      isInternational: text.startsWith('+'),
      first: index,
      last: indexes[i + count - 1]!,
    },
    count,
  });
  if (written !== null) return make(written, 1);
  const repeated = repeatedDigits(text, language);
  if (repeated !== null) return make(repeated, 1);
  const spoken = spokenDigits(clauseFrom(words, said, i), language);
  return spoken ? make(spoken.digits, spoken.count) : make(hyphenatedDigits(text, language), 1);
}

/** The next words to a mark that no number goes over: "twenty. One" are two numbers. */
function clauseFrom(
  words: readonly SpokenWord[],
  { indexes, texts }: Said,
  i: number,
): readonly string[] {
  let end = Math.min(i + maxWords, indexes.length);
  for (let at = i; at < end; at += 1) if (/[.?!,;]$/.test(words[indexes[at]!]!.word)) end = at + 1;
  return texts.slice(i, end);
}

/** Digits that were said one by one: "4.2.4.2". */
const oneByOne = /^\d(?:[.,]\d){3,}$/;

/** Thousands, as recognisers write long numbers too: "12,345,678". */
export const withCommas = /^\d{1,3}(?:,\d{3})+$/;

/** A card's number with what was heard as a part of its word: "4111-1111-1111-1111-60RT-618". */
function cardWithin(text: string): string | null {
  const groups = text.split(/[-–./]/);
  for (const from of groups.keys()) {
    let digits = '';
    for (let to = from; to < groups.length && /^\d+$/.test(groups[to]!); to += 1) {
      digits += groups[to]!;
      if (digits.length > maxCardDigits) break;
      if (isCardNumber(digits)) return digits;
    }
  }
  return null;
}

/** Groups of digits with separators, as numbers of people are written; no decimals, no times. */
function writtenDigits(text: string): string | null {
  if (oneByOne.test(text) || withCommas.test(text)) return text.replaceAll(/\D/g, '');
  // One digit at a time: groups that may follow each other directly would be tried in every way.
  if (!/^\+?\(?\d(?:\)?[-–./]?\(?\d)*\)?$/.test(text)) return null;
  const groups = text.split('.');
  if (groups.length === 2 || (groups.length > 2 && groups.some(({ length }) => length < 2)))
    return null;
  return text.replaceAll(/\D/g, '');
}

/** "double four" is 44. */
function withRepeats(words: readonly SpokenWord[], tokens: readonly Token[]): readonly Token[] {
  const repeated: Token[] = [];
  for (let i = 0; i < tokens.length; i += 1) {
    const token = tokens[i]!;
    const next = tokens[i + 1];
    const { repeats } = numeralsOf(words[token.first]!.language);
    const times = Object.hasOwn(repeats, token.text) ? repeats[token.text]! : 0;
    if (times > 0 && next?.digits?.length === 1) {
      repeated.push({ ...next, digits: next.digits.repeat(times), first: token.first });
      i += 1;
    } else repeated.push(token);
  }
  return repeated;
}
