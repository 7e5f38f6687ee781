// Chunks to words: one pool job each, times moved to the recording's clock.
import type { ChunkTranscript } from '../models/asr/transcript.ts';
import type { Chunk } from '../models/audio/chunk-plan.ts';
import type { InferencePool, JobOptions } from '../models/inference/jobs.ts';

const sampleRate = 16_000;

/** @param pcm the chunk's samples */
export async function transcribeChunk(
  pool: InferencePool,
  { chunk, pcm, job }: { chunk: Chunk; pcm: Int16Array; job: JobOptions },
): Promise<ChunkTranscript> {
  const { words } = await pool.transcribe(pcm, job);
  const offset = chunk.startSample / sampleRate;
  return {
    index: chunk.index,
    words: words.map((word) => ({ ...word, start: word.start + offset, end: word.end + offset })),
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
