// The scored segments of a recording, planned and read as the service does for a clip.
import type { SegmentReadings } from '../../models/affect/classify.ts';
import type { RecordingRequest } from '../../models/contract/recording-request.ts';
import type { InferencePool } from '../../models/inference/jobs.ts';
import { analyzeSamples } from '../support/analyze-samples.ts';
import { job } from './chunked-recognition.ts';

const options = { diarize: false, numSpeakers: null, includeLogits: false };

/** @param pcm at most 120 s @returns in order; [] where there is no speech */
export async function scoredSegments(
  pool: InferencePool,
  pcm: Int16Array,
  model: RecordingRequest['model'],
): Promise<readonly SegmentReadings[]> {
  const request: RecordingRequest = { task: 'affect', model, options };
  const { chunks } = await analyzeSamples(pool, { request, pcm }, job);
  return chunks
    .flatMap(({ scored }) => scored)
    .map(({ start, end, readings }) => ({ start, end, readings, speaker: null }))
    .toSorted((a, b) => a.start - b.start);
}
