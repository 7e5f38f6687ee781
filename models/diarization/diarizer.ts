// Diarization: who speaks when, from speaker counts and window embeddings; pure.
import { setImmediate as nextTick } from 'node:timers/promises';
import type { SpeakerActivity } from './activity.ts';
import { meanDirections, type Vectors } from './k-means.ts';
import { ensureEverySpeaker } from './requested-speakers.ts';
import { exactSpeakers, findSpeakers } from './speaker-clusters.ts';
import { bestPath, pathFrames, type PathFrame } from './speaker-path.ts';
import { countHopSamples } from './hops.ts';
import { buildTurns, type SpeakerTurn } from './turns.ts';
import { windowSamples } from './windows.ts';

export interface DiarizationInput {
  readonly activity: SpeakerActivity;
  /** First sample of each window, ascending. */
  readonly starts: readonly number[];
  /** One unit vector per window. */
  readonly vectors: Vectors;
  /**
   * Exact number of speakers, or null to estimate it. There may be fewer when there is little
   * speech.
   */
  readonly numSpeakers: number | null;
}

/** Windows with more overlap than this do not represent one speaker. */
const maxOverlapShare = 0.4;
const minCleanWindows = 4;
/**
 * Limits the windows that are clustered, so that an hour takes no longer than ten minutes of audio.
 */
const maxClusteredWindows = 1_200;
const pathIterations = 3;

/** Turns in order of their start; [] without speech. */
export async function diarize(input: DiarizationInput): Promise<readonly SpeakerTurn[]> {
  const { activity, starts, vectors, numSpeakers } = input;
  if (starts.length === 0) return [];
  const clean = cleanWindows(input);
  let centroids =
    numSpeakers === null ? await findSpeakers(clean) : await exactSpeakers(clean, numSpeakers);
  for (let iteration = 0; ; iteration += 1) {
    const frames = pathFrames(activity.speech, starts, vectors, centroids);
    const path = bestPath(frames, centroids.length);
    if (iteration === pathIterations - 1) {
      const speakers = numSpeakers ?? centroids.length;
      const given = numSpeakers === null ? path : ensureEverySpeaker(path, frames, speakers);
      return buildTurns({ ...activity, frames, path: given, speakers });
    }
    centroids = meanDirections(vectors, windowSpeakers(starts, frames, path), centroids);
    await nextTick();
  }
}

/** The speaker of the path at each window's centre. */
function windowSpeakers(
  starts: readonly number[],
  frames: readonly PathFrame[],
  path: Int32Array,
): Int32Array {
  let frame = 0;
  return Int32Array.from(starts, (start) => {
    const centre = start + windowSamples / 2;
    const distance = (m: number): number => Math.abs(frames[m]!.sample - centre);
    while (frame + 1 < frames.length && distance(frame + 1) <= distance(frame)) frame += 1;
    return path[frame]!;
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
    Math.floor(start / countHopSamples),
    Math.ceil((start + windowSamples) / countHopSamples),
  );
  return hops.reduce((sum, probability) => sum + probability, 0) / Math.max(1, hops.length);
}
