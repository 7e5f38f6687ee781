// Voice activity of samples in memory, as the service hears a recording.
import { streamVoiceActivity } from '../../models/analysis/voice-activity.ts';
import type { InferencePool, JobOptions } from '../../models/inference/jobs.ts';

/** @param pcm 16 kHz mono @returns one probability per hop, and those of the silence behind */
export async function speechProbabilities(
  pool: InferencePool,
  pcm: Int16Array,
  job: JobOptions,
): Promise<Float32Array> {
  const stream = streamVoiceActivity(pool, job);
  await stream.write(pcm);
  return stream.end();
}
