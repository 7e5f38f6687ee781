// From windows to speakers: as many as are worth their price, or as many as are asked for; pure.
import { clusterVectors, dot, meanDirections, type Clusters, type Vectors } from './k-means.ts';

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

type Centroids = readonly Float32Array[];

/** The centroids of as many speakers as are worth it. */
export function findSpeakers(vectors: Vectors): Centroids {
  let best = clusterVectors(vectors, 1);
  for (let k = 2; k <= Math.min(maxAutomatic, vectors.count); k += 1) {
    const clusters = clusterVectors(vectors, k);
    const { likeness } = mostAlike(clusters);
    const price = basePrice + likenessPrice * Math.max(0, likeness);
    if (clusters.cohesion - best.cohesion <= price || smallest(clusters) < minWindows) break;
    best = clusters;
  }
  return best.centroids;
}

/**
 * The centroids of exactly `speakers` speakers, or of as many as there are vectors: one cluster
 * more, and the two that are most alike become one. Without it a voice that speaks most of the
 * time is split and two that say little are joined.
 */
export function exactSpeakers(vectors: Vectors, speakers: number): Centroids {
  if (speakers >= vectors.count) return clusterVectors(vectors, vectors.count).centroids;
  const clusters = clusterVectors(vectors, speakers + 1);
  const { first, second } = mostAlike(clusters);
  const labels = clusters.labels.map((label) => {
    if (label === second) return first;
    return label > second ? label - 1 : label;
  });
  return meanDirections(vectors, labels, clusters.centroids.toSpliced(second, 1));
}

/** The two centroids, `first` before `second`, with the greatest cosine. */
function mostAlike({ centroids }: Clusters): { first: number; second: number; likeness: number } {
  let best = { first: 0, second: 1, likeness: -Infinity };
  for (let second = 1; second < centroids.length; second += 1) {
    for (let first = 0; first < second; first += 1) {
      const likeness = dot(centroids[first]!, centroids[second]!);
      if (likeness > best.likeness) best = { first, second, likeness };
    }
  }
  return best;
}

function smallest({ centroids, labels }: Clusters): number {
  return Math.min(...centroids.map((_, k) => labels.filter((label) => label === k).length));
}
