// Windows between two alike ones need no embedding of their own; pure.

/**
 * Windows of one voice, 2.4 s apart, are seldom less alike, those of two voices hardly ever more
 * (docs/adr/0064).
 */
const minCosine = 0.6;

/** By index of the window: unit vectors of those that are embedded. */
export type EmbeddedWindows = ReadonlyMap<number, Float32Array>;

/**
 * What stands for a window that is not embedded: the direction between its neighbours.
 * @returns null where they differ, so that it has to be embedded
 */
export function betweenAlike(embedded: EmbeddedWindows, index: number): Float32Array | null {
  const before = embedded.get(index - 1)!;
  const after = embedded.get(index + 1)!;
  const cosine = before.reduce((sum, value, i) => sum + value * after[i]!, 0);
  if (cosine < minCosine) return null;
  // The length of the sum of two unit vectors.
  const length = Math.sqrt(2 + 2 * cosine);
  return before.map((value, i) => (value + after[i]!) / length);
}
