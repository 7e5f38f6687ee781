// Who speaks when, from talker counts and window embeddings; pure.
import type { TalkerActivity } from './activity.ts';
import { meanDirections, type Vectors } from './k-means.ts';
import { giveEachSpeakerAPart } from './exact-count.ts';
import { exactSpeakers, findSpeakers } from './speakers.ts';
import { bestPath, momentsOf, type Moment } from './speaker-path.ts';
import { talkerHopSamples } from './hops.ts';
import { buildTurns, type SpeakerTurn } from './turns.ts';
import { windowSamples } from './windows.ts';

export interface DiarizationInput {
  readonly activity: TalkerActivity;
  /** First sample of each window, ascending. */
  readonly starts: readonly number[];
  /** One unit vector per window. */
  readonly vectors: Vectors;
  /** Exact number of speakers, or null to find it. Fewer where there is too little speech. */
  readonly numSpeakers: number | null;
}

/** Windows with more overlap than this do not say what one speaker sounds like. */
const maxOverlapShare = 0.4;
const minCleanWindows = 4;
/** Clustering looks at no more windows than this: an hour takes no longer than ten minutes. */
const maxClusteredWindows = 1_200;
const pathIterations = 3;

/** Turns in order of their start; [] without speech. */
export function diarize(input: DiarizationInput): readonly SpeakerTurn[] {
  const { activity, starts, vectors, numSpeakers } = input;
  if (starts.length === 0) return [];
  const clean = cleanWindows(input);
  let centroids = numSpeakers === null ? findSpeakers(clean) : exactSpeakers(clean, numSpeakers);
  for (let iteration = 0; ; iteration += 1) {
    const moments = momentsOf(activity.speech, starts, vectors, centroids);
    const path = bestPath(moments, centroids.length);
    if (iteration === pathIterations - 1) {
      const speakers = numSpeakers ?? centroids.length;
      const given = numSpeakers === null ? path : giveEachSpeakerAPart(path, moments, speakers);
      return buildTurns({ ...activity, moments, path: given, speakers });
    }
    centroids = meanDirections(vectors, windowSpeakers(starts, moments, path), centroids);
  }
}

/** The path's speaker at each window's centre. */
function windowSpeakers(
  starts: readonly number[],
  moments: readonly Moment[],
  path: Int32Array,
): Int32Array {
  let moment = 0;
  return Int32Array.from(starts, (start) => {
    const centre = start + windowSamples / 2;
    const distance = (m: number): number => Math.abs(moments[m]!.sample - centre);
    while (moment + 1 < moments.length && distance(moment + 1) <= distance(moment)) moment += 1;
    return path[moment]!;
  });
}

function cleanWindows({ activity, starts, vectors, numSpeakers }: DiarizationInput): Vectors {
  const clean = starts.flatMap((start, i) =>
    overlapShare(activity.overlap, start) < maxOverlapShare ? [i] : [],
  );
  const enough = clean.length >= Math.max(minCleanWindows, numSpeakers ?? 0);
  const used = enough ? clean : starts.map((_, i) => i);
  const step = Math.max(1, used.length / maxClusteredWindows);
  const picked = Array.from(
    { length: Math.min(used.length, maxClusteredWindows) },
    (_, i) => used[Math.floor(i * step)]!,
  );
  return gather(vectors, picked);
}

function gather({ data, size }: Vectors, indices: readonly number[]): Vectors {
  const picked = new Float32Array(indices.length * size);
  indices.forEach((index, i) => {
    picked.set(data.subarray(index * size, (index + 1) * size), i * size);
  });
  return { data: picked, count: indices.length, size };
}

function overlapShare(overlap: Float32Array, start: number): number {
  const hops = overlap.subarray(
    Math.floor(start / talkerHopSamples),
    Math.ceil((start + windowSamples) / talkerHopSamples),
  );
  return hops.reduce((sum, probability) => sum + probability, 0) / Math.max(1, hops.length);
}
