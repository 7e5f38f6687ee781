// Names from the caller's list, without regard to case, accents and possessive endings.
import type { SpokenWord } from './kinds.ts';
import { foldedName, hashOf } from './name-hash.ts';

/**
 * @param indexes words of one speaker, in order
 * @param hashes of names
 * @returns indexes of each name, longer names first
 */
export function findNames(
  words: readonly SpokenWord[],
  indexes: readonly number[],
  hashes: readonly string[],
): readonly (readonly number[])[] {
  const wanted = new Set(hashes);
  const counts = [...new Set(hashes.map((hash) => Number.parseInt(hash, 10)))].toSorted(
    (a, b) => b - a,
  );
  const texts = indexes.map((index) => foldedName(words[index]!.word));
  const found: (readonly number[])[] = [];
  for (let i = 0; i < texts.length; i += 1) {
    const count = counts.find(
      (n) => i + n <= texts.length && wanted.has(hashOf(texts.slice(i, i + n))),
    );
    if (count === undefined) continue;
    found.push(indexes.slice(i, i + count));
    i += count - 1;
  }
  return found;
}
