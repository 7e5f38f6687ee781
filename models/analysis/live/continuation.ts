// Where a new hypothesis goes on after words that are already stable: an alignment of words; pure.
import { bareWord, type Word } from '../../asr/transcript.ts';

/**
 * The number of words at the start of a hypothesis that say what the stable words say. A hypothesis
 * that spells a stable word in another way still continues after it: this is the prefix with the
 * lowest edit distance (Levenshtein 1966) to the stable words, and of several the one whose last
 * word ends nearest to theirs, so that a repeated word is not taken for its neighbour.
 * @param stable of the recognised window; times on the same clock
 * @returns an index into `words`
 */
export function continuationOf(stable: readonly Word[], words: readonly Word[]): number {
  const last = stable.at(-1);
  if (!last) return 0;
  const distances = prefixDistances(stable, words);
  const best = Math.min(...distances);
  const gapOf = (count: number): number =>
    Math.abs((words[count - 1]?.end ?? stable[0]!.start) - last.end);
  return distances
    .flatMap((distance, count) => (distance === best ? [count] : []))
    .reduce((nearest, count) => (gapOf(count) < gapOf(nearest) ? count : nearest));
}

/** Edit distances of all of `stable` to each prefix of `words`, from the empty one on. */
function prefixDistances(stable: readonly Word[], words: readonly Word[]): readonly number[] {
  const spelled = words.map(({ word }) => bareWord(word));
  let row = Array.from({ length: words.length + 1 }, (_, count) => count);
  for (const [i, { word }] of stable.entries()) {
    const bare = bareWord(word);
    const next = [i + 1];
    for (const [j, other] of spelled.entries()) {
      const replaced = row[j]! + (other === bare ? 0 : 1);
      next.push(Math.min(replaced, row[j + 1]! + 1, next[j]! + 1));
    }
    row = next;
  }
  return row;
}
