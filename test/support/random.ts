// Random numbers that a printed seed reproduces, and what tests draw with them.
import { seededRandom } from '../../models/asr/whisper/sampling.ts';

/** Uniform in [0, 1). */
export type Random = () => number;

export const createRandom: (seed: number) => Random = seededRandom;

/** The items in a random order. */
export function shuffled<T>(items: readonly T[], random: Random): readonly T[] {
  return items
    .map((item) => ({ item, key: random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item);
}
