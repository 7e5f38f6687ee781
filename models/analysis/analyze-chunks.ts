// Chunks to words and scores: one pool job each, times moved to the recording's clock.
import { sampleRate } from '../audio/sample-rate.ts';
import { ServiceError } from '../contract/errors.ts';
import { InferenceFailed } from '../inference/errors.ts';
import type { AnalyzedChunk } from './assemble.ts';
import type { PlannedChunk } from './plan.ts';
import { stepsOf } from '../contract/tasks.ts';
import type { InferencePool, JobOptions } from '../inference/jobs.ts';
import type { AnalyzeRecordingInput } from '../../workflows/types.ts';

export interface ChunkJob {
  readonly recording: Pick<AnalyzeRecordingInput, 'task' | 'model'>;
  readonly chunk: PlannedChunk;
  /** The chunk's samples. */
  readonly pcm: Int16Array;
  readonly job: JobOptions;
}

export async function analyzeChunk(
  pool: InferencePool,
  { recording, chunk, pcm, job }: ChunkJob,
): Promise<AnalyzedChunk> {
  const steps = stepsOf(recording);
  const request = {
    words: steps.words,
    text: steps.text,
    head: steps.scores ? recording.model : null,
    spans: chunk.spans,
  };
  const analysis = await pool
    .analyze(pcm, request, job)
    .catch((error: unknown) => chunkFailed(error, request));
  const { words, written, scored, inferenceMs } = analysis;
  const offset = (chunk.channel?.clockSample ?? chunk.startSample) / sampleRate;
  const moved = <T extends { readonly start: number; readonly end: number }>(timed: T): T => ({
    ...timed,
    start: timed.start + offset,
    end: timed.end + offset,
  });
  return {
    index: chunk.index,
    ...(chunk.channel && { channel: chunk.channel.index }),
    inferenceMs,
    words: words.map(moved),
    written,
    scored: scored.map((span, i) => ({
      ...moved(span),
      segment: chunk.spans?.[i]?.segment ?? null,
      // Five decimals: what a float32 holds of such values, and what callers see.
      logits: Array.from(span.logits, (logit) => Math.round(logit * 1e5) / 1e5),
    })),
  };
}

/** The weights for several languages are the one part that may be absent. */
function chunkFailed(error: unknown, { text }: { readonly text: boolean }): never {
  if (!text || !(error instanceof InferenceFailed)) throw error;
  const message = 'The model for text in several languages is not available.';
  throw new ServiceError('model_unavailable', message, { cause: error });
}

/** Runs `work` over the items with at most `limit` at once; the first error stops it. */
export async function eachLimited<T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  let stopped = false;
  const lanes = Array.from({ length: Math.min(limit, items.length) }, async () => {
    while (next < items.length && !stopped) {
      const item = items[next++]!;
      await work(item).catch((error: unknown) => {
        stopped = true;
        throw error;
      });
    }
  });
  await Promise.all(lanes);
}
