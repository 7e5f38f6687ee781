// Spherical k-means (Dhillon and Modha 2001) over unit vectors, with seeded restarts.
import { setImmediate as nextTick } from 'node:timers/promises';

/** Row-major unit vectors. */
export interface Vectors {
  readonly data: Float32Array;
  readonly count: number;
  readonly size: number;
}

export interface Clusters {
  readonly centroids: readonly Float32Array[];
  readonly labels: Int32Array;
  /** Mean cosine of a vector and its centroid. */
  readonly cohesion: number;
}

const restarts = 16;
const maxIterations = 30;

/**
 * The best of several restarts; the same input gives the same clusters. Others have the thread
 * between them, since those of an hour take a second.
 */
export async function clusterVectors(vectors: Vectors, k: number): Promise<Clusters> {
  const random = generator(k);
  let best: Clusters | null = null;
  for (let attempt = 0; attempt < (k === 1 ? 1 : restarts); attempt += 1) {
    const found = refineClusters(vectors, spreadSeeds(vectors, k, random));
    if (!best || found.cohesion > best.cohesion) best = found;
    await nextTick();
  }
  return best!;
}

/** Lloyd's iterations from given centroids; an empty cluster keeps its centroid. */
function refineClusters(vectors: Vectors, seeds: readonly Float32Array[]): Clusters {
  let centroids = seeds;
  let labels = new Int32Array(vectors.count);
  let cohesion = 0;
  for (let iteration = 0; iteration < maxIterations; iteration += 1) {
    const previous = labels;
    ({ labels, cohesion } = assign(vectors, centroids));
    if (iteration > 0 && labels.every((label, i) => label === previous[i])) break;
    centroids = meanDirections(vectors, labels, centroids);
  }
  return { centroids, labels, cohesion };
}

/** The inner product of `a` and as many values of `b`. @param offset the first value of `b` */
export function dot(a: Float32Array, b: Float32Array, offset = 0): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += a[i]! * b[offset + i]!;
  return sum;
}

function assign({ data, count, size }: Vectors, centroids: readonly Float32Array[]) {
  const labels = new Int32Array(count);
  let total = 0;
  for (let i = 0; i < count; i += 1) {
    let best = -Infinity;
    centroids.forEach((centroid, k) => {
      const cosine = dot(centroid, data, i * size);
      if (cosine > best) {
        best = cosine;
        labels[i] = k;
      }
    });
    total += best;
  }
  return { labels, cohesion: total / Math.max(1, count) };
}

/** Mean direction of each label's vectors; a label without vectors keeps its centroid. */
export function meanDirections(
  { data, count, size }: Vectors,
  labels: Int32Array,
  previous: readonly Float32Array[],
): readonly Float32Array[] {
  const sums = previous.map(() => new Float32Array(size));
  for (let i = 0; i < count; i += 1) {
    const sum = sums[labels[i]!]!;
    for (let d = 0; d < size; d += 1) sum[d]! += data[i * size + d]!;
  }
  return sums.map((sum, k) => {
    const length = Math.sqrt(dot(sum, sum));
    return length > 0 ? sum.map((value) => value / length) : previous[k]!;
  });
}

/** k-means++ (Arthur and Vassilvitskii 2007) with the cosine distance. */
function spreadSeeds(
  { data, count, size }: Vectors,
  k: number,
  random: () => number,
): readonly Float32Array[] {
  const pick = (i: number): Float32Array => data.slice(i * size, (i + 1) * size);
  const seeds = [pick(Math.floor(random() * count))];
  const distances = new Float64Array(count).fill(Infinity);
  while (seeds.length < k) {
    const latest = seeds.at(-1)!;
    let total = 0;
    for (let i = 0; i < count; i += 1) {
      const distance = Math.max(0, 1 - dot(latest, data, i * size));
      distances[i] = Math.min(distances[i]!, distance);
      total += distances[i]!;
    }
    let left = random() * total;
    let chosen = count - 1;
    for (let i = 0; i < count && left >= 0; i += 1) {
      left -= distances[i]!;
      if (left < 0) chosen = i;
    }
    seeds.push(pick(chosen));
  }
  return seeds;
}

/** A linear congruential generator: restarts differ, runs do not. */
function generator(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
