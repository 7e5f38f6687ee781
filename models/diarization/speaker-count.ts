// How many speakers there are: clusters are added while they make the windows clearly more alike.
import { clusterVectors, dot, type Clusters, type Vectors } from './k-means.ts';

export interface CountOptions {
  /** What one more cluster has to add to the mean cosine. */
  readonly clusterCost: number;
  /** Two clusters closer than this are one speaker. */
  readonly maxCentroidCosine: number;
  /** A cluster of fewer windows is not a speaker. */
  readonly minWindows: number;
}

/** Tuned on dialogues of training speakers (docs/BENCHMARKS.md). */
const defaults: CountOptions = { clusterCost: 0.06, maxCentroidCosine: 0.7, minWindows: 4 };
const maxAutomatic = 10;

/** The clusters that explain the windows best, with a price on each. */
export function countSpeakers(vectors: Vectors, options: CountOptions = defaults): Clusters {
  let best = clusterVectors(vectors, 1);
  let bestScore = best.cohesion;
  for (let k = 2; k <= Math.min(maxAutomatic, vectors.count); k += 1) {
    const clusters = clusterVectors(vectors, k);
    const score = clusters.cohesion - options.clusterCost * (k - 1);
    if (score <= bestScore || !areSpeakers(clusters, options)) continue;
    best = clusters;
    bestScore = score;
  }
  return best;
}

function areSpeakers({ centroids, labels }: Clusters, options: CountOptions): boolean {
  const apart = centroids.every((a, i) =>
    centroids.every((b, j) => j <= i || dot(a, b) < options.maxCentroidCosine),
  );
  const windows = centroids.map((_, k) => labels.filter((label) => label === k).length);
  return apart && Math.min(...windows) >= options.minWindows;
}
