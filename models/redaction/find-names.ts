// Names from the caller's list, without regard to case, accents, hyphens, apostrophes and
// possessive endings.
import type { SpokenWord } from './kinds.ts';
import { hashOf, readingsOf, type NamePart } from './name-hash.ts';
import { findSpelledNames } from './spelled-names.ts';

/** "d'Anne" and "Smith-Jones" have names in them; what is shorter is rather no name: "l'Al". */
const minLettersWithin = 3;

/**
 * @param indexes words of one speaker, in order
 * @param hashes of names
 * @returns indexes of each name, longer names first; in words that can be read in several ways a
 * name may be found several times
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
  if (counts.length === 0) return [];
  const spelled = findSpelledNames(words, indexes, wanted);
  const said = readingsOf(indexes.map((index) => words[index]!.word));
  const whole = said.flatMap((parts, reading) => {
    const found: (readonly number[])[] = [];
    for (let i = 0; i < parts.length; i += 1) {
      const isName = (count: number): boolean => {
        const own = parts.slice(i, i + count);
        const isNew = reading === 0 || own.some(({ isJoined }) => isJoined);
        if (own.length < count || !isNew || !isLongEnough(parts, i, count)) return false;
        return wanted.has(hashOf(own.map(({ text }) => text)));
      };
      const count = counts.find(isName);
      if (count === undefined) continue;
      found.push(indexes.slice(parts[i]!.word, parts[i + count - 1]!.word + 1));
      i += count - 1;
    }
    return found;
  });
  return [...whole, ...spelled];
}

function isLongEnough(parts: readonly NamePart[], from: number, count: number): boolean {
  const [first, last] = [parts[from]!, parts[from + count - 1]!];
  const isWithin = parts[from - 1]?.word === first.word || parts[from + count]?.word === last.word;
  const letters = parts.slice(from, from + count).reduce((sum, { text }) => sum + text.length, 0);
  return !isWithin || letters >= minLettersWithin;
}
