// Finds who speaks when: window embeddings from the pool, then clusters and turns.
import type { ReadSamples } from '../audio/samples.ts';
import { ServiceError } from '../contract/errors.ts';
import { speakerActivity } from '../diarization/activity.ts';
import { diarize } from '../diarization/diarizer.ts';
import type { Vectors } from '../diarization/k-means.ts';
import { countHopSamples } from '../diarization/hops.ts';
import { planWindows, windowSamples } from '../diarization/windows.ts';
import { InferenceFailed } from '../inference/errors.ts';
import type { InferencePool, JobOptions } from '../inference/jobs.ts';
import { eachLimited } from './each-limited.ts';
import type { PlannedSegment } from './plan.ts';
import { sampleRate } from '../audio/sample-rate.ts';

/** Audio of one embedding job. */
const segmentSamples = 20 * sampleRate;
/**
 * Audio of one speaker counting job and the context on each side, in whole hops: 8 s and 0.6 s.
 * The encoder's time grows with the square of the length.
 */
const countedSamples = 333 * countHopSamples;
const contextSamples = 25 * countHopSamples;

export interface TurnsInput {
  /** Length of the recording. */
  readonly samples: number;
  readonly numSpeakers: number | null;
  readonly read: ReadSamples;
  readonly job: JobOptions;
  /** Called with the share of the work that is done, 0-1. */
  readonly onProgress?: (share: number) => void;
}

/** Counting speakers takes about this share of the time, embedding their voices the rest. */
const countingShare = 0.35;

/** Turns in order of their start; speakers are numbered in order of first appearance. */
export async function findTurns(
  pool: InferencePool,
  input: TurnsInput,
): Promise<readonly PlannedSegment[]> {
  const { samples, numSpeakers } = input;
  const activity = speakerActivity(await countSpeakers(pool, input), samples);
  const starts = planWindows(activity.speech, samples);
  const vectors = await embedWindows(pool, input, starts);
  return diarize({ activity, starts, vectors, numSpeakers });
}

/** Probabilities of one and of several voices over the whole recording. */
async function countSpeakers(
  pool: InferencePool,
  { samples, read, job, onProgress }: TurnsInput,
): Promise<Float32Array> {
  const counts = new Float32Array(Math.ceil(samples / countHopSamples) * 2);
  const pieces = Array.from({ length: Math.ceil(samples / countedSamples) }, (_, i) => i);
  let done = 0;
  await eachLimited(pieces, inFlight(pool), async (piece) => {
    const first = piece * countedSamples;
    const end = Math.min(samples, first + countedSamples);
    const startSample = Math.max(0, first - contextSamples);
    const endSample = Math.min(samples, end + contextSamples);
    const pcm = await read({ startSample, endSample });
    const all = await pool.countSpeakers(pcm, job).catch(diarizerFailed);
    const skipped = (first - startSample) / countHopSamples;
    const hops = Math.ceil((end - first) / countHopSamples);
    const at = first / countHopSamples;
    counts.set(all.subarray(2 * skipped, 2 * (skipped + hops)), 2 * at);
    onProgress?.((countingShare * (done += 1)) / pieces.length);
  });
  return counts;
}

async function embedWindows(
  pool: InferencePool,
  { samples, read, job, onProgress }: TurnsInput,
  starts: readonly number[],
): Promise<Vectors> {
  const parts: { readonly first: number; readonly data: Float32Array }[] = [];
  const segments = groupBySegment(starts);
  await eachLimited(segments, inFlight(pool), async ({ first, end }) => {
    const startSample = starts[first]!;
    const endSample = Math.min(samples, starts[end - 1]! + windowSamples);
    const pcm = await read({ startSample, endSample });
    const offsets = starts.slice(first, end).map((start) => start - startSample);
    parts.push({ first, data: await pool.embedSpeakers(pcm, offsets, job).catch(diarizerFailed) });
    onProgress?.(countingShare + ((1 - countingShare) * parts.length) / segments.length);
  });
  const length = parts.reduce((sum, { data }) => sum + data.length, 0);
  const size = length / Math.max(1, starts.length);
  const data = new Float32Array(length);
  for (const part of parts) data.set(part.data, part.first * size);
  return { data, count: starts.length, size };
}

/** More jobs than processes: the samples of the next are read while a process is busy. */
function inFlight(pool: InferencePool): number {
  return 2 * pool.size;
}

/** A failed job or missing models count as a failure of the diarizer. */
function diarizerFailed(error: unknown): never {
  if (!(error instanceof InferenceFailed)) throw error;
  const message = 'The speakers could not be diarized; the request may be sent again.';
  throw new ServiceError('diarization_upstream_failed', message, { cause: error });
}

/** Groups consecutive windows that start within one segment. */
function groupBySegment(starts: readonly number[]): readonly { first: number; end: number }[] {
  const groups: { first: number; end: number }[] = [];
  starts.forEach((start, i) => {
    const last = groups.at(-1);
    if (last && start - starts[last.first]! < segmentSamples) last.end = i + 1;
    else groups.push({ first: i, end: i + 1 });
  });
  return groups;
}
