// How many speakers there are: clusters are added while each is worth its price; pure.
import { clusterVectors, dot, type Clusters, type Vectors } from './k-means.ts';

/**
 * What one more cluster has to add to the mean cosine: a voice that is split in two makes centroids
 * that are alike, so the price rises with the greatest cosine between two of them. Tuned on
 * dialogues of other seeds than those of docs/BENCHMARKS.md.
 */
const basePrice = 0.005;
const likenessPrice = 0.1;
/** A cluster of fewer windows is not a speaker. */
const minWindows = 3;
const maxAutomatic = 10;

/** The clusters of as many speakers as are worth it. */
export function countSpeakers(vectors: Vectors): Clusters {
  let best = clusterVectors(vectors, 1);
  for (let k = 2; k <= Math.min(maxAutomatic, vectors.count); k += 1) {
    const clusters = clusterVectors(vectors, k);
    const price = basePrice + likenessPrice * Math.max(0, greatestLikeness(clusters));
    if (clusters.cohesion - best.cohesion <= price || smallest(clusters) < minWindows) break;
    best = clusters;
  }
  return best;
}

function greatestLikeness({ centroids }: Clusters): number {
  return Math.max(...centroids.flatMap((a, i) => centroids.slice(0, i).map((b) => dot(a, b))));
}

function smallest({ centroids, labels }: Clusters): number {
  return Math.min(...centroids.map((_, k) => labels.filter((label) => label === k).length));
}
