// How much the absolute view of a segment counts for, by how far its functionals are from the
// speech that the head was trained on: of a strange voice, channel or language it can say little.
import type { AffectWeights } from '../bundles/head-weights.ts';
import { dot } from './linear.ts';

/** Twice the familiar distance is 2^3 times as unsure (training/familiarity.py). */
const power = 3;

/**
 * 1 up to the distance within which the clips of unseen speakers of the training corpus are, and
 * less beyond it. The distance is that of probabilistic principal components (Tipping and Bishop
 * 1999): Mahalanobis along some directions, one variance for what is outside of them.
 * @param normal the functionals in standard deviations from their mean
 */
export function familiarShare(
  normal: readonly number[],
  { centre, directions, variances, rest, limit }: AffectWeights['familiar'],
): number {
  const centred = normal.map((value, i) => value - centre[i]!);
  let outside = dot(centred, centred);
  let inside = 0;
  directions.forEach((direction, k) => {
    const along = dot(direction, centred);
    outside -= along * along;
    inside += (along * along) / variances[k]!;
  });
  const distance = Math.sqrt((inside + Math.max(0, outside) / rest) / normal.length);
  return distance <= limit ? 1 : (limit / distance) ** power;
}
