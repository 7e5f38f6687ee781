// Finds who speaks when: window embeddings from the pool, then clusters and turns.
import { speakerActivity } from '../../diarization/activity.ts';
import { diarize } from '../../diarization/diarizer.ts';
import { countHopSamples } from '../../diarization/hops.ts';
import { planWindows, windowsBetween } from '../../diarization/windows.ts';
import type { InferencePool } from '../../inference/jobs.ts';
import { diarizerFailed, inFlight, type RecordingToDiarize } from './diarization-jobs.ts';
import { eachLimited } from '../../concurrency/each-limited.ts';
import { embedWindows } from './embed-windows.ts';
import type { PlannedSegment } from '../plan/plan.ts';

/**
 * Audio of one speaker counting job and the context on each side, in whole hops: 8 s and 0.6 s.
 * The encoder's time grows with the square of the length.
 */
const countedSamples = 333 * countHopSamples;
const contextSamples = 25 * countHopSamples;

/** Counting speakers takes about this share of the time, embedding their voices the rest. */
const countingShare = 0.45;

/** Turns in order of their start; speakers are numbered in order of first appearance. */
export async function findTurns(
  pool: InferencePool,
  input: RecordingToDiarize,
): Promise<readonly PlannedSegment[]> {
  const { samples, numSpeakers } = input;
  const activity = speakerActivity(await countSpeakers(pool, input), samples);
  const starts = planWindows(activity.speech, samples);
  const between = windowsBetween(starts, activity.speech);
  const onProgress = (share: number): void => {
    input.onProgress?.(countingShare + (1 - countingShare) * share);
  };
  const vectors = await embedWindows(pool, input, { starts, between, onProgress });
  return diarize({ activity, starts, vectors, numSpeakers });
}

/** Probabilities of one and of several voices over the whole recording. */
async function countSpeakers(
  pool: InferencePool,
  { samples, read, job, onProgress }: RecordingToDiarize,
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
