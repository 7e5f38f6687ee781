// A clip whose samples are in memory: planned and analysed in one go.
import type { SampleSpan } from '../models/analysis/chunk-plan.ts';
import type { AnalyzedChunk } from '../models/analysis/assemble.ts';
import { isDigitalSilence, planFixedWindows } from '../models/analysis/fixed-windows.ts';
import { windowOf } from '../models/contract/served-models.ts';
import type { InferencePool, JobOptions } from '../models/inference/jobs.ts';
import type { RecordingOutline } from '../models/analysis/outline.ts';
import type { RecordingPlan } from '../models/analysis/plan.ts';
import type { AnalyzeRecordingInput, AudioLength } from '../workflows/types.ts';
import { analyzeChunk, eachLimited } from '../models/analysis/analyze-chunks.ts';
import { findSpeechRegions } from '../models/vad/speech-regions.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { findTurns } from './diarize.ts';
import { planSpeech } from '../models/analysis/plan-speech.ts';
import type { SettleInput } from './settle-recording.ts';

export interface Clip {
  readonly recording: AnalyzeRecordingInput;
  readonly audio: AudioLength;
  readonly clip: Int16Array;
  /** Of each channel; one where they are mixed. */
  readonly probabilities: readonly Float32Array[];
  readonly outline: RecordingOutline | null;
  readonly signal: AbortSignal;
}

/** @returns all that its result is assembled from */
export async function analyzeClip(
  { pool, priority }: Pick<ActivityDependencies, 'pool' | 'priority'>,
  opened: Clip,
): Promise<SettleInput> {
  const { recording, audio, clip, outline, signal } = opened;
  const job = { organizationId: recording.organizationId, priority, signal };
  const planned = await planClip(pool, opened, job);
  const plan = outline ? { ...planned, outline } : planned;
  const read = readClip(clip);
  const chunks: AnalyzedChunk[] = [];
  // All at once: those that wait together are decoded together, and the samples are there.
  await eachLimited(plan.chunks, plan.chunks.length, async (chunk) => {
    const pcm = await read(chunk);
    chunks.push(await analyzeChunk(pool, { recording, chunk, pcm, job }));
  });
  return { recording, audio, plan, chunks, read, job };
}

export function readClip(clip: Int16Array): (span: SampleSpan) => Promise<Int16Array> {
  return async ({ startSample, endSample }) => clip.subarray(startSample, endSample);
}

async function planClip(
  pool: InferencePool,
  { recording, audio, clip, probabilities: channels }: Clip,
  job: JobOptions,
): Promise<RecordingPlan> {
  const { model, options } = recording;
  const windows = windowOf(model);
  if (windows) {
    // Where silence abstains, affect is asked for, and that is of speech alone.
    const regions = windows.abstainsOnSilence ? findSpeechRegions(channels[0]!) : null;
    const plan = planFixedWindows({ ...audio, windows, regions });
    return regions && isDigitalSilence(clip) ? { ...plan, chunks: [], abstains: true } : plan;
  }
  const { samples } = audio;
  const { numSpeakers } = options;
  const finding = { samples, read: readClip(clip), job, numSpeakers };
  const turns = options.diarize ? await findTurns(pool, finding) : null;
  return planSpeech(recording, { channels, samples, turns });
}
