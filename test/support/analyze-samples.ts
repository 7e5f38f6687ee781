// Samples in memory, analysed as the service analyses a clip.
import type { AnalyzedRecording } from '../../models/analysis/analyzed-recording.ts';
import { analyzeClip } from '../../models/analysis/analyze-clip.ts';
import { sampleRate } from '../../models/audio/sample-rate.ts';
import type { RecordingRequest } from '../../models/contract/recording-request.ts';
import type { InferencePool, JobOptions } from '../../models/inference/jobs.ts';
import { speechProbabilities } from '../../models/analysis/voice-activity.ts';

/** @param pcm 16 kHz mono, at most 120 s */
export async function analyzeSamples(
  pool: InferencePool,
  { request, pcm }: { readonly request: RecordingRequest; readonly pcm: Int16Array },
  job: JobOptions,
): Promise<AnalyzedRecording> {
  const audio = { samples: pcm.length, sourceSamples: pcm.length, sourceRate: sampleRate };
  const probabilities = [await speechProbabilities(pool, pcm, job)];
  return analyzeClip(pool, { request, audio, pcm, probabilities, outline: null }, job);
}
