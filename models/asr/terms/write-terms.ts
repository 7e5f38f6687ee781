// Recognised words as the terms of a request spell them; how surely they were recognised stays.
import { certainSpellings, type IsCommon } from './spellings.ts';

/** @param join words that are written as one */
export function writeTerms<W extends { readonly word: string }>(
  words: readonly W[],
  terms: readonly string[],
  { isCommon, join }: { readonly isCommon: IsCommon; readonly join: (own: readonly W[]) => W },
): readonly W[] {
  if (terms.length === 0) return words;
  const spellings = certainSpellings(
    words.map(({ word }) => word),
    terms,
    isCommon,
  );
  const written: W[] = [];
  let at = 0;
  for (const { first, end, written: word } of spellings) {
    written.push(...words.slice(at, first), { ...join(words.slice(first, end)), word });
    at = end;
  }
  return [...written, ...words.slice(at)];
}
