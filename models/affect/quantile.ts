// Quantiles, as numpy has them.

/**
 * Interpolates linearly between the two nearest values.
 * @param sorted ascending, at least one @param share 0-1
 */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const position = share * (sorted.length - 1);
  const below = Math.floor(position);
  const above = Math.min(sorted.length - 1, below + 1);
  return sorted[below]! + (position - below) * (sorted[above]! - sorted[below]!);
}
