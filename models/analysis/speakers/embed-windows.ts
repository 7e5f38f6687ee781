// Speaker embeddings of a recording's windows, from the pool.
import type { Vectors } from '../../diarization/k-means.ts';
import { betweenAlike } from '../../diarization/similar-windows.ts';
import { windowSamples } from '../../diarization/windows.ts';
import type { InferencePool } from '../../inference/jobs.ts';
import { sampleRate } from '../../audio/sample-rate.ts';
import { diarizerFailed, inFlight, type RecordingToDiarize } from './diarization-jobs.ts';
import { eachLimited } from '../../concurrency/each-limited.ts';

/** Audio of one embedding job. */
const segmentSamples = 20 * sampleRate;

export interface WindowsToEmbed {
  /** First sample of each window, ascending. */
  readonly starts: readonly number[];
  /** Indices of windows that are embedded only where their neighbours differ. */
  readonly between: readonly number[];
  /** Called with the share of the windows that are embedded, 0-1. */
  readonly onProgress: (share: number) => void;
}

/** A unit vector for each window. */
export async function embedWindows(
  pool: InferencePool,
  { samples, read, job }: RecordingToDiarize,
  { starts, between, onProgress }: WindowsToEmbed,
): Promise<Vectors> {
  const embedded = new Map<number, Float32Array>();
  const embed = (indices: readonly number[]): Promise<void> =>
    eachLimited(groupBySegment(indices, starts), inFlight(pool), async (group) => {
      const startSample = starts[group[0]!]!;
      const endSample = Math.min(samples, starts[group.at(-1)!]! + windowSamples);
      const pcm = await read({ startSample, endSample });
      const offsets = group.map((i) => starts[i]! - startSample);
      const data = await pool.embedSpeakers(pcm, offsets, job).catch(diarizerFailed);
      const size = data.length / group.length;
      group.forEach((i, row) => embedded.set(i, data.subarray(row * size, (row + 1) * size)));
      onProgress(embedded.size / starts.length);
    });
  const later = new Set(between);
  await embed([...starts.keys()].filter((i) => !later.has(i)));
  const filled = between.map((i) => [i, betweenAlike(embedded, i)] as const);
  for (const [i, vector] of filled) if (vector) embedded.set(i, vector);
  await embed(filled.flatMap(([i, vector]) => (vector ? [] : [i])));
  return joined(embedded, starts.length);
}

function joined(embedded: ReadonlyMap<number, Float32Array>, count: number): Vectors {
  const size = embedded.get(0)?.length ?? 0;
  const data = new Float32Array(count * size);
  for (const [i, vector] of embedded) data.set(vector, i * size);
  return { data, count, size };
}

/** Groups windows, by their indices, that start within one segment. */
function groupBySegment(
  indices: readonly number[],
  starts: readonly number[],
): readonly (readonly number[])[] {
  const groups: number[][] = [];
  for (const i of indices) {
    const last = groups.at(-1);
    if (last && starts[i]! - starts[last[0]!]! < segmentSamples) last.push(i);
    else groups.push([i]);
  }
  return groups;
}
