// Plans and analyses a clip whose samples are in memory.
import { samplesInMemory } from '../audio/samples.ts';
import type { AudioLength } from '../contract/billing.ts';
import type { RecordingRequest } from '../contract/recording-request.ts';
import type { InferencePool, JobOptions } from '../inference/jobs.ts';
import { readChunk } from './plan/chunk-samples.ts';
import { analyzeChunk, chunksInFlight } from './analyze-chunk.ts';
import type { AnalyzedChunk } from './analyzed-chunk.ts';
import type { AnalyzedRecording } from './analyzed-recording.ts';
import { eachLimited } from '../concurrency/each-limited.ts';
import type { RecordingOutline } from './result/outline.ts';
import type { RecordingPlan } from './plan/plan.ts';
import { planWindows } from './plan-windows.ts';
import { planWithLanguages } from './plan-with-languages.ts';
import { windowOf } from '../contract/served-models.ts';

export interface Clip {
  readonly request: RecordingRequest;
  readonly audio: AudioLength;
  /** All samples; the channels follow each other. */
  readonly pcm: Int16Array;
  /** Speech probabilities per hop of each channel; one entry when the channels are mixed. */
  readonly probabilities: readonly Float32Array[];
  /** Set when the result is kept; null otherwise. */
  readonly outline: RecordingOutline | null;
}

/** @returns everything that the result is assembled from */
export async function analyzeClip(
  pool: InferencePool,
  clip: Clip,
  job: JobOptions,
): Promise<AnalyzedRecording> {
  const { request, audio, outline } = clip;
  const planned = await planClip(pool, clip, job);
  const plan = outline ? { ...planned, outline } : planned;
  const read = samplesInMemory(clip.pcm);
  const chunks: AnalyzedChunk[] = [];
  const { unlikelyEnglish, prior } = plan;
  await eachLimited(plan.chunks, chunksInFlight, async (chunk) => {
    const pcm = await readChunk(read, chunk);
    const own = { request, chunk, pcm, unlikelyEnglish, prior, job };
    chunks.push(await analyzeChunk(pool, own));
  });
  return { request, audio, plan, chunks, read, job };
}

async function planClip(pool: InferencePool, clip: Clip, job: JobOptions): Promise<RecordingPlan> {
  const { request, audio, pcm, probabilities: channels } = clip;
  const { model, options } = request;
  const windows = windowOf(model);
  if (windows) return planWindows(pool, clip, { windows, job });
  const { samples } = audio;
  const { numSpeakers } = options;
  const read = samplesInMemory(pcm);
  const finding = options.diarize ? { samples, read, job, numSpeakers } : null;
  return planWithLanguages(pool, request, { channels, samples, read, job, finding });
}
