// Which speaker at each moment: Viterbi over likeness with a price on every change; pure.
import { sampleRate } from '../audio/sample-rate.ts';
import type { SampleSpan } from '../audio/samples.ts';
import { dot, type Vectors } from './k-means.ts';
import { windowSamples } from './windows.ts';

/** A moment every 96 ms: four hops of the talker counter. */
const stepSamples = 4 * 384;
const changeCost = 0.4;
/** A pause makes a change of speaker likelier. */
const changeCostAfterPause = 0.2;
/** A window counts for moments up to this far from its centre. */
const reachSamples = 0.8 * sampleRate;
/** Weight of the nearest window where none is within reach. */
const nearestWeight = 0.05;

export interface Moment {
  readonly sample: number;
  /** Index of the stretch of speech. */
  readonly stretch: number;
  /** Cosine with each speaker's centroid. */
  readonly likeness: Float32Array;
}

/** Moments over all speech with the windows' likeness interpolated. */
export function momentsOf(
  speech: readonly SampleSpan[],
  starts: readonly number[],
  vectors: Vectors,
  centroids: readonly Float32Array[],
): readonly Moment[] {
  const cosines = starts.map((_, i) =>
    Float32Array.from(centroids, (centroid) => dot(centroid, vectors.data, i * vectors.size)),
  );
  const centres = starts.map((start) => start + windowSamples / 2);
  const moments: Moment[] = [];
  let first = 0;
  speech.forEach(({ startSample, endSample }, stretch) => {
    for (let at = startSample; at < endSample; at += stepSamples) {
      const sample = at + stepSamples / 2;
      while (first + 1 < centres.length && centres[first]! < sample - reachSamples) first += 1;
      moments.push({ sample, stretch, likeness: interpolate(sample, first, centres, cosines) });
    }
  });
  return moments;
}

function interpolate(
  sample: number,
  first: number,
  centres: readonly number[],
  cosines: readonly Float32Array[],
): Float32Array {
  const sum = new Float32Array(cosines[0]!.length);
  let nearest = Math.max(0, first - 1);
  let total = 0;
  const add = (window: number, weight: number): void => {
    cosines[window]!.forEach((cosine, k) => (sum[k]! += weight * cosine));
    total += weight;
  };
  for (let window = nearest; window < centres.length; window += 1) {
    const distance = Math.abs(centres[window]! - sample);
    if (distance < Math.abs(centres[nearest]! - sample)) nearest = window;
    if (distance < reachSamples) add(window, 1 - distance / reachSamples);
    if (centres[window]! > sample + reachSamples) break;
  }
  add(nearest, nearestWeight);
  return sum.map((value) => value / total);
}

/** The speaker of each moment on the best path. */
export function bestPath(moments: readonly Moment[], speakers: number): Int32Array {
  const path = new Int32Array(moments.length);
  if (moments.length === 0) return path;
  const back = moments.map(() => new Int32Array(speakers));
  let score = Float64Array.from(moments[0]!.likeness);
  for (let m = 1; m < moments.length; m += 1) {
    const { likeness, stretch } = moments[m]!;
    const paused = stretch !== moments[m - 1]!.stretch;
    const best = indexOfMax(score);
    const changed = score[best]! - (paused ? changeCostAfterPause : changeCost);
    score = score.map((stay, k) => {
      back[m]![k] = stay >= changed ? k : best;
      return Math.max(stay, changed) + likeness[k]!;
    });
  }
  path[moments.length - 1] = indexOfMax(score);
  for (let m = moments.length - 1; m > 0; m -= 1) path[m - 1] = back[m]![path[m]!]!;
  return path;
}

export function indexOfMax(values: ArrayLike<number>): number {
  let best = 0;
  for (let i = 1; i < values.length; i += 1) if (values[i]! > values[best]!) best = i;
  return best;
}
