// The speaker of each frame: Viterbi over cosine similarities with a penalty for changes; pure.
import { sampleRate } from '../audio/sample-rate.ts';
import type { SampleSpan } from '../audio/samples.ts';
import { dot, type Vectors } from './k-means.ts';
import { countHopSamples } from './hops.ts';
import { windowSamples } from './windows.ts';

/** A frame every 96 ms. */
const stepSamples = 4 * countHopSamples;
const changePenalty = 0.4;
/** A speaker change is more likely after a pause. */
const changePenaltyAfterPause = 0.2;
/** A window counts for frames up to this far from its centre. */
const reachSamples = 0.8 * sampleRate;
/** Weight of the nearest window, which counts even out of reach. */
const nearestWeight = 0.05;

export interface PathFrame {
  readonly sample: number;
  /** Index of the speech segment that the frame lies in. */
  readonly segment: number;
  /** Cosine with each speaker's centroid. */
  readonly similarities: Float32Array;
}

/** Frames over all speech, with the similarities of the windows around them interpolated. */
export function pathFrames(
  speech: readonly SampleSpan[],
  starts: readonly number[],
  vectors: Vectors,
  centroids: readonly Float32Array[],
): readonly PathFrame[] {
  const cosines = starts.map((_, i) =>
    Float32Array.from(centroids, (centroid) => dot(centroid, vectors.data, i * vectors.size)),
  );
  const centres = starts.map((start) => start + windowSamples / 2);
  const frames: PathFrame[] = [];
  let first = 0;
  speech.forEach(({ startSample, endSample }, segment) => {
    for (let at = startSample; at < endSample; at += stepSamples) {
      const sample = at + stepSamples / 2;
      while (first + 1 < centres.length && centres[first]! < sample - reachSamples) first += 1;
      frames.push({ sample, segment, similarities: interpolate(sample, first, centres, cosines) });
    }
  });
  return frames;
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

/** The speaker of each frame on the best path. */
export function bestPath(frames: readonly PathFrame[], speakers: number): Int32Array {
  const path = new Int32Array(frames.length);
  if (frames.length === 0) return path;
  const back = frames.map(() => new Int32Array(speakers));
  let score = Float64Array.from(frames[0]!.similarities);
  for (let m = 1; m < frames.length; m += 1) {
    const { similarities, segment } = frames[m]!;
    const paused = segment !== frames[m - 1]!.segment;
    const best = indexOfMax(score);
    const changed = score[best]! - (paused ? changePenaltyAfterPause : changePenalty);
    score = score.map((stay, k) => {
      back[m]![k] = stay >= changed ? k : best;
      return Math.max(stay, changed) + similarities[k]!;
    });
  }
  path[frames.length - 1] = indexOfMax(score);
  for (let m = frames.length - 1; m > 0; m -= 1) path[m - 1] = back[m]![path[m]!]!;
  return path;
}

export function indexOfMax(values: ArrayLike<number>): number {
  let best = 0;
  for (let i = 1; i < values.length; i += 1) if (values[i]! > values[best]!) best = i;
  return best;
}
