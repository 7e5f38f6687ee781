// Questions for something else than a number of a person: what is answered is no part of the number
// before.
import type { ReadWord } from './kinds.ts';
import { allWords, patternIn } from './languages/languages.ts';
import { bare, wholeWords } from './tokens.ts';

const asksFor = patternIn(
  ({ others: { ofThings, things, asked } }) =>
    new RegExp(wholeWords(`${ofThings}|${things}|${asked}`), 'u'),
);
const pleases = allWords(({ others }) => others.pleases);

/** Whether words ask for a date, an order, an amount or the like. */
export function asksForOther(words: readonly ReadWord[]): boolean {
  const isQuestion = words.some(({ word }) => word.endsWith('?') || pleases.has(bare(word)));
  const codes = [...new Set(words.flatMap((word) => word.languages))];
  return isQuestion && asksFor(words.map(({ word }) => bare(word)).join(' '), codes);
}
