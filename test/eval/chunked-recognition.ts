// Recordings through voice activity and chunks, as the service plans them, and a pool.
import { planChunks, type ChunkOptions } from '../../models/analysis/plan/chunk-plan.ts';
import { chunkStart, readChunk } from '../../models/analysis/plan/chunk-samples.ts';
import type { Word } from '../../models/asr/transcript.ts';
import { defaultModel } from '../../models/contract/served-models.ts';
import { samplesInMemory } from '../../models/audio/samples.ts';
import type { InferencePool } from '../../models/inference/jobs.ts';
import { findSpeechRegions } from '../../models/vad/speech-regions.ts';
import { speechProbabilities } from '../../models/analysis/voice-activity.ts';

export const job = { organizationId: 'eval', priority: 1 } as const;

export interface SpokenChunk {
  readonly pcm: Int16Array;
  /** On the clock of the recording: negative where silence precedes it. */
  readonly startSeconds: number;
}

/** @param pcm of at most 120 s @param options absent: those of recordings with words */
export async function chunksOf(
  pool: InferencePool,
  pcm: Int16Array,
  options?: ChunkOptions,
): Promise<readonly SpokenChunk[]> {
  const probabilities = await speechProbabilities(pool, pcm, job);
  const chunks = planChunks(findSpeechRegions(probabilities), probabilities, pcm.length, options);
  const read = samplesInMemory(pcm);
  return Promise.all(
    chunks.map(async (chunk) => ({
      pcm: await readChunk(read, chunk),
      startSeconds: chunkStart(chunk),
    })),
  );
}

/** The words of the chunks, in order, on the clock of the recording. */
export async function recogniseWords(
  pool: InferencePool,
  chunks: readonly SpokenChunk[],
  language: string,
): Promise<readonly Word[]> {
  const request = {
    ...{ model: defaultModel, words: true, language },
    ...{ text: false, head: null, spans: [] },
  };
  const analyses = await Promise.all(chunks.map(({ pcm }) => pool.analyze(pcm, request, job)));
  return analyses.flatMap(({ words }, i) =>
    words.map((word) => ({
      ...word,
      start: word.start + chunks[i]!.startSeconds,
      end: word.end + chunks[i]!.startSeconds,
    })),
  );
}

/** A share as percent with one decimal. */
export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
