// A chunk to words and scores: one pool job, its times moved to the recording's clock.
import { ServiceError } from '../contract/errors.ts';
import { InferenceFailed } from '../inference/errors.ts';
import type { AnalyzedChunk } from './assemble.ts';
import type { PlannedChunk } from './plan.ts';
import type { RecordingRequest } from '../contract/recording-request.ts';
import { stepsOf } from '../contract/served-models.ts';
import type { InferencePool, JobOptions } from '../inference/jobs.ts';
import { sampleRate } from '../audio/sample-rate.ts';

export interface ChunkJob {
  readonly request: Pick<RecordingRequest, 'task' | 'model'>;
  readonly chunk: PlannedChunk;
  /** The chunk's samples. */
  readonly pcm: Int16Array;
  readonly job: JobOptions;
}

export async function analyzeChunk(
  pool: InferencePool,
  { request, chunk, pcm, job }: ChunkJob,
): Promise<AnalyzedChunk> {
  const steps = stepsOf(request);
  const chunkRequest = {
    words: steps.words,
    language: 'en',
    text: steps.text,
    head: steps.scores ? request.model : null,
    spans: chunk.spans,
  };
  const analysis = await pool
    .analyze(pcm, chunkRequest, job)
    .catch((error: unknown) => chunkFailed(error, chunkRequest));
  const { words, written, scored, inferenceMs } = analysis;
  const offset = (chunk.channel?.clockSample ?? chunk.startSample) / sampleRate;
  const toRecordingTime = <T extends { readonly start: number; readonly end: number }>(
    timed: T,
  ): T => ({
    ...timed,
    start: timed.start + offset,
    end: timed.end + offset,
  });
  return {
    index: chunk.index,
    ...(chunk.channel && { channel: chunk.channel.index }),
    inferenceMs,
    words: words.map(toRecordingTime),
    written,
    scored: scored.map((span, i) => ({
      ...toRecordingTime(span),
      segment: chunk.spans[i]!.segment,
      // Five decimals: what a float32 holds of such values.
      readings: Array.from(span.readings, (reading) => Math.round(reading * 1e5) / 1e5),
    })),
  };
}

/** The weights for several languages are the one part that may be absent. */
function chunkFailed(error: unknown, { text }: { readonly text: boolean }): never {
  if (!text || !(error instanceof InferenceFailed)) throw error;
  const message = 'The model for text in several languages is not available.';
  throw new ServiceError('model_unavailable', message, { cause: error });
}
