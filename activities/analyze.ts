// Chunks to words and scores: one pool job each, times moved to the recording's clock.
import type { AnalyzedChunk } from '../models/recording/assemble.ts';
import type { PlannedChunk } from '../models/recording/plan.ts';
import { taskSteps } from '../models/recording/steps.ts';
import type { InferencePool, JobOptions } from '../models/inference/jobs.ts';
import type { AnalyzeRecordingInput } from '../workflows/types.ts';

const sampleRate = 16_000;

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
  const { task, model } = recording;
  const head = taskSteps[task].scores ? model : null;
  const { words, scored, inferenceMs } = await pool.analyze(
    pcm,
    { words: chunk.words, head, spans: chunk.spans },
    job,
  );
  const offset = chunk.startSample / sampleRate;
  const moved = <T extends { readonly start: number; readonly end: number }>(timed: T): T => ({
    ...timed,
    start: timed.start + offset,
    end: timed.end + offset,
  });
  return {
    index: chunk.index,
    inferenceMs,
    words: words.map(moved),
    scored: scored.map((span, i) => ({
      ...moved(span),
      segment: chunk.spans?.[i]?.segment ?? null,
      // Five decimals: what a float32 holds of such values, and what callers see.
      logits: Array.from(span.logits, (logit) => Math.round(logit * 1e5) / 1e5),
    })),
  };
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
