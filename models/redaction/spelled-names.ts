// Names from the caller's list that are spelled: "Siobhan, S I O B H A N".
import type { SpokenWord } from './kinds.ts';
import { hashOf, readingsOf } from './name-hash.ts';
import { bare } from './tokens.ts';

/** Fewer letters are rather initials, or "a" and "I". */
const minLetters = 3;
const maxLetters = 40;

/**
 * @param indexes words of one speaker, in order
 * @param wanted hashes of names
 * @returns indexes of each name: all letters in a row, those of a first and a last name, or the
 * first or the last ones
 */
export function findSpelledNames(
  words: readonly SpokenWord[],
  indexes: readonly number[],
  wanted: ReadonlySet<string>,
): readonly (readonly number[])[] {
  return letterRuns(words, indexes).flatMap((run) => {
    const letters = readingsOf(run.map((index) => words[index]!.word))[0]!.map(({ text }) => text);
    const join = (from: number, to?: number): string => letters.slice(from, to).join('');
    const isName = (...parts: readonly string[]): boolean => wanted.has(hashOf(parts));
    const inner = letters.map((_, i) => i).slice(1);
    if (isName(join(0)) || inner.some((i) => isName(join(0, i), join(i)))) return [run];
    const first = inner.findLast((i) => i >= minLetters && isName(join(0, i)));
    const last = inner.find((i) => letters.length - i >= minLetters && isName(join(i)));
    return [
      ...(first === undefined ? [] : [run.slice(0, first)]),
      ...(last === undefined ? [] : [run.slice(last)]),
    ];
  });
}

function letterRuns(
  words: readonly SpokenWord[],
  indexes: readonly number[],
): readonly (readonly number[])[] {
  const runs: number[][] = [[]];
  for (const index of indexes) {
    if (/^\p{L}$/u.test(bare(words[index]!.word))) runs.at(-1)!.push(index);
    else if (runs.at(-1)!.length > 0) runs.push([]);
  }
  return runs.filter(({ length }) => minLetters <= length && length <= maxLetters);
}
