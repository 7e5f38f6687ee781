// Hears where a chunk in another language sounds like English: where it does not, it need not be
// cut into pieces only because English is spoken elsewhere in the recording.
import type { InferencePool } from '../../inference/jobs.ts';
import { readChunk } from '../plan/chunk-samples.ts';
import type { AnalyzedChunk } from '../analyzed-chunk.ts';
import type { AnalyzedRecording } from '../analyzed-recording.ts';

const asked = {
  ...{ words: false, language: null, text: false, head: null, spans: [] },
  englishParts: true,
} as const;

/** @returns the chunk with `englishParts`, for one that Moonshine's encoder has not read */
export async function hearEnglish(
  pool: InferencePool,
  { plan, read, job }: Pick<AnalyzedRecording, 'plan' | 'read' | 'job'>,
  known: AnalyzedChunk,
): Promise<AnalyzedChunk> {
  const pcm = await readChunk(read, plan.chunks[known.index]!);
  const { englishParts = null, inferenceMs } = await pool.analyze(pcm, asked, job);
  return { ...known, englishParts, inferenceMs: known.inferenceMs + inferenceMs };
}
