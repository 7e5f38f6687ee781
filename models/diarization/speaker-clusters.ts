// Estimates the number of speakers: clusters are added while their gain exceeds a penalty; pure.
import { clusterVectors, dot, meanDirections, type Clusters, type Vectors } from './k-means.ts';

/**
 * The gain in mean cosine that one more cluster must exceed. Splitting one voice in two yields
 * similar centroids, so the penalty rises with the highest cosine between two of them. Tuned on
 * dialogues with other seeds than those of docs/benchmarks/accuracy.md.
 */
const overAll = { base: 0.005, similarity: 0.1 };
/**
 * The same over the windows of the two most similar clusters alone: two of five speakers gain less
 * over all windows than two of three. It holds for clusters of so many windows each; smaller ones
 * may be noises and overlaps.
 */
const ofPair = { base: 0.04, similarity: 0.04, minWindows: 20 };
/**
 * Of few windows, the sounds that each happens to hold make two clusters of one voice: so much more
 * must the second and every further cluster gain, divided by the number of windows, and nothing
 * from `windows` on. Ten seconds have some 15, half a minute 50 (docs/adr/0098-few-windows.md).
 */
const ofFew = { windows: 50, second: 0.6, further: 0.3 };
/** A cluster of fewer windows is not a speaker, ... */
const minWindows = 3;
/** ... unless it is clearly another voice, as that of an answer of two seconds. */
const ofClear = { minWindows: 2, maxSimilarity: 0.3, minGain: 0.15 };
const maxAutomatic = 10;

type Centroids = readonly Float32Array[];

/** The centroids of the largest number of speakers whose last cluster exceeds its penalty. */
export async function findSpeakers(vectors: Vectors): Promise<Centroids> {
  let best = await clusterVectors(vectors, 1);
  for (let k = 2; k <= Math.min(maxAutomatic, vectors.count); k += 1) {
    const clusters = await clusterVectors(vectors, k);
    if (!isSpeakerMore(clusters, clusters.cohesion - best.cohesion)) break;
    best = clusters;
  }
  return best.centroids;
}

/**
 * The centroids of exactly `speakers` speakers, or one per vector if there are fewer. Clusters one
 * more and merges the two most similar ones; otherwise a dominant voice would be split and two rare
 * voices would be joined.
 */
export async function exactSpeakers(vectors: Vectors, speakers: number): Promise<Centroids> {
  if (speakers >= vectors.count) return (await clusterVectors(vectors, vectors.count)).centroids;
  const clusters = await clusterVectors(vectors, speakers + 1);
  const { first, second } = mostSimilar(clusters);
  const labels = clusters.labels.map((label) => {
    if (label === second) return first;
    return label > second ? label - 1 : label;
  });
  return meanDirections(vectors, labels, clusters.centroids.toSpliced(second, 1));
}

/** The two centroids with the highest cosine, `first` before `second`. */
function mostSimilar({ centroids }: Clusters): {
  first: number;
  second: number;
  similarity: number;
} {
  let best = { first: 0, second: 1, similarity: -Infinity };
  for (let second = 1; second < centroids.length; second += 1) {
    for (let first = 0; first < second; first += 1) {
      const similarity = dot(centroids[first]!, centroids[second]!);
      if (similarity > best.similarity) best = { first, second, similarity };
    }
  }
  return best;
}

/** @param gain of these clusters over one less */
function isSpeakerMore(clusters: Clusters, gain: number): boolean {
  const sizes = sizesOf(clusters);
  const { first, second, similarity } = mostSimilar(clusters);
  const isClear = similarity < ofClear.maxSimilarity && gain > ofClear.minGain;
  if (Math.min(...sizes) < (isClear ? ofClear.minWindows : minWindows)) return false;
  const worth = gain - gainByChance(sizes.length, clusters.labels.length);
  const exceeds = (value: number, penalty: typeof overAll): boolean => {
    return value > penalty.base + penalty.similarity * Math.max(0, similarity);
  };
  if (exceeds(worth, overAll)) return true;
  const pair = [sizes[first]!, sizes[second]!] as const;
  const share = (pair[0] + pair[1]) / clusters.labels.length;
  return Math.min(...pair) >= ofPair.minWindows && exceeds(worth / share, ofPair);
}

/** @param windows in all */
function gainByChance(speakers: number, windows: number): number {
  const { second, further, windows: enough } = ofFew;
  return (speakers === 2 ? second : further) * Math.max(0, 1 / windows - 1 / enough);
}

function sizesOf({ centroids, labels }: Clusters): readonly number[] {
  return centroids.map((_, k) => labels.filter((label) => label === k).length);
}
