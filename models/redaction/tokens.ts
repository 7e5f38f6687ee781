// Words as the digits, letters and names that they say.
import type { SpokenWord } from './kinds.ts';
import { spokenDigits } from './number-names.ts';

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

/** Lower case, without punctuation at the ends; a plus sign before digits stays. */
export function bare(word: string): string {
  return word
    .toLowerCase()
    .normalize('NFC')
    .replace(/^[^\p{L}\p{N}+]*(.*[\p{L}\p{N}])?.*$/su, '$1');
}

/** @param indexes words of one speaker, in order */
export function tokensOf(
  words: readonly SpokenWord[],
  indexes: readonly number[],
): readonly Token[] {
  const tokens: Token[] = [];
  for (let i = 0; i < indexes.length;) {
    const { token, count } = tokenAt(words, indexes, i);
    tokens.push(token);
    i += count;
  }
  return withMultiples(withRepeats(words, tokens));
}

interface Match {
  readonly token: Token;
  /** Words of the token. */
  readonly count: number;
}

function tokenAt(words: readonly SpokenWord[], indexes: readonly number[], i: number): Match {
  const index = indexes[i]!;
  const text = bare(words[index]!.word);
  const written = writtenDigits(text);
  const { digits, maxWords } = spokenDigits(words[index]!.language);
  const make = (said: string | null, count: number): Match => ({
    token: {
      text,
      digits: said,
      isInternational: text.startsWith('+'),
      first: index,
      last: indexes[i + count - 1]!,
    },
    count,
  });
  if (written !== null) return make(written, 1);
  for (let count = Math.min(maxWords, indexes.length - i); count >= 1; count -= 1) {
    const name = indexes
      .slice(i, i + count)
      .map((each) => bare(words[each]!.word).replaceAll('-', ' '))
      .join(' ');
    const said = digits.get(name);
    if (said !== undefined && !endsSentenceInside(words, indexes.slice(i, i + count)))
      return make(said, count);
  }
  return make(null, 1);
}

/** "twenty. One" are two numbers. */
function endsSentenceInside(words: readonly SpokenWord[], indexes: readonly number[]): boolean {
  return indexes.slice(0, -1).some((index) => /[.?!,;]$/.test(words[index]!.word));
}

/** Digits that were said one by one: "4.2.4.2". */
const oneByOne = /^\d(?:[.,]\d){3,}$/;

/** Groups of digits with separators, as numbers of people are written; no amounts, no times. */
function writtenDigits(text: string): string | null {
  if (oneByOne.test(text)) return text.replaceAll(/\D/g, '');
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
    const { repeats } = spokenDigits(words[token.first]!.language);
    const times = Object.hasOwn(repeats, token.text) ? repeats[token.text]! : 0;
    if (times > 0 && next?.digits?.length === 1) {
      repeated.push({ ...next, digits: next.digits.repeat(times), first: token.first });
      i += 1;
    } else repeated.push(token);
  }
  return repeated;
}

/** "eight hundred" is 800, as in freephone numbers. */
function withMultiples(tokens: readonly Token[]): readonly Token[] {
  const multiplied: Token[] = [];
  for (const token of tokens) {
    const before = multiplied.at(-1);
    const zeros = token.text === 'hundred' ? '00' : token.text === 'thousand' ? '000' : '';
    if (zeros !== '' && before?.digits?.length === 1)
      multiplied[multiplied.length - 1] = {
        ...before,
        digits: before.digits + zeros,
        last: token.last,
      };
    else multiplied.push(token);
  }
  return multiplied;
}
