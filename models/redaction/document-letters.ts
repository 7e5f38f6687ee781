// The letters of Spanish documents that are said apart from their digits: "12345678, letra zeta",
// "equis 1234567 ele".
import type { NumberFinding } from './classify.ts';
import { maxPauseSeconds } from './digit-runs.ts';
import type { ReadWord } from './kinds.ts';
import type { Token } from './tokens.ts';

/** By the remainder of the number modulo 23 (Real Decreto 1553/2005). */
const checkLetters = 'trwagmyfpdxbnjzsqvhlcke';
/** Of foreigners, in the place of 0, 1 and 2. */
const firstLetters = 'xyz';
const lengths = { national: 8, foreign: 7 };

/** Names of letters that are no other words. */
const plainNames: Readonly<Record<string, string>> = {
  ...{ zeta: 'z', ceta: 'z', equis: 'x', erre: 'r', eme: 'm', ene: 'n', efe: 'f', jota: 'j' },
  ...{ hache: 'h', ele: 'l', uve: 'v', 'i griega': 'y', 'uve doble': 'w', 'doble uve': 'w' },
};
const names: Readonly<Record<string, string>> = {
  ...plainNames,
  ...{ te: 't', ge: 'g', pe: 'p', de: 'd', be: 'b', ese: 's', cu: 'q', ce: 'c', ka: 'k', ye: 'y' },
};
const fillers: ReadonlySet<string> = new Set('y con la letra es guion guión'.split(' '));
const maxFillers = 5;

/**
 * Numbers of documents with the letters that are said before and after them.
 * @param tokens of one speaker, in order
 */
export function withLetters(
  words: readonly ReadWord[],
  tokens: readonly Token[],
  findings: readonly NumberFinding[],
): readonly NumberFinding[] {
  return findings.map((finding) => {
    const { digits, kinds, first, last } = finding;
    const isDocument = digits.length === lengths.national || digits.length === lengths.foreign;
    const isSpanish = words[first.first]!.language === 'es';
    if (kinds[0] !== 'account' || !isDocument || !isSpanish || last.digits === null) return finding;
    const isForeign = digits.length === lengths.foreign;
    const before = isForeign ? letterBefore(tokens, tokens.indexOf(first)) : null;
    const number = Number(`${before ? firstLetters.indexOf(before.letter) : ''}${digits}`);
    const expected = checkLetters[number % checkLetters.length]!;
    const after = letterAfter(words, tokens.slice(tokens.indexOf(last)), expected);
    return { ...finding, first: before?.first ?? first, last: after ?? last };
  });
}

function letterBefore(tokens: readonly Token[], at: number) {
  for (const count of [2, 1]) {
    const said = tokens.slice(Math.max(0, at - count), at);
    const letter = letterOf(said);
    // "y" alone is a word: "la cuenta y 1234567".
    const isLetter = letter !== null && firstLetters.includes(letter) && textOf(said) !== 'y';
    if (isLetter && said.length === count) return { letter, first: said[0]! };
  }
  return null;
}

/**
 * The token with which a letter ends; null where none follows.
 * @param tokens from the last one of the number on
 */
function letterAfter(
  words: readonly ReadWord[],
  tokens: readonly Token[],
  expected: string,
): Token | null {
  const { word, end } = words[tokens[0]!.last]!;
  if (/[.?!;]$/.test(word)) return null;
  let from = 1;
  while (from <= maxFillers && fillers.has(tokens[from]?.text ?? '')) from += 1;
  const isNamed = tokens.slice(1, from).some(({ text }) => text === 'letra');
  for (const said of [tokens.slice(from, from + 2), tokens.slice(from, from + 1)]) {
    const letter = letterOf(said);
    if (letter === null || words[said[0]!.first]!.start - end > maxPauseSeconds) continue;
    if (letter === expected || isNamed || Object.hasOwn(plainNames, textOf(said)))
      return said.at(-1)!;
  }
  return null;
}

function letterOf(said: readonly Token[]): string | null {
  const text = textOf(said);
  if (/^[a-z]$/.test(text)) return text;
  return Object.hasOwn(names, text) ? names[text]! : null;
}

function textOf(said: readonly Token[]): string {
  return said.map(({ text }) => text).join(' ');
}
