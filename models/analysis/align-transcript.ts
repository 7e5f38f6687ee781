// Aligns a given transcript with a recording, chunk by chunk, without recognising its words.
import type { ReadSamples } from '../audio/samples.ts';
import type { InferencePool, JobOptions, KnownWords } from '../inference/jobs.ts';
import type { HeardWord } from '../proficiency/pronounced-word.ts';
import { chunkSeconds, readChunk, wordOfChunk } from './plan/chunk-samples.ts';
import type { PlannedChunk, RecordingPlan } from './plan/plan.ts';

export interface ChunkReader {
  readonly plan: RecordingPlan;
  readonly read: ReadSamples;
  readonly job: JobOptions;
}

/** Nobody reads faster: words beyond these are not offered to a chunk. */
const maxWordsPerSecond = 8;

/**
 * Each chunk takes the words that it contains, from the first that is left; the last chunk takes
 * all that are left.
 * @returns the words of each chunk, on the clock of the recording; none without a chunk
 */
export async function alignTranscript(
  pool: InferencePool,
  reader: ChunkReader,
  words: readonly string[],
): Promise<readonly (readonly HeardWord[])[]> {
  const { chunks } = reader.plan;
  const found: (readonly HeardWord[])[] = [];
  let next = 0;
  for (const chunk of chunks) {
    const seconds = chunkSeconds(chunk);
    const toTheLast = chunk.index === chunks.length - 1;
    const most = toTheLast ? words.length : next + Math.ceil(seconds * maxWordsPerSecond);
    const own = await pronounceChunk(pool, reader, {
      chunk,
      words: words.slice(next, most),
      toTheLast,
    });
    found.push(own);
    next += own.length;
  }
  return found;
}

/** The words of a chunk on the clock of the recording; [] for none. */
export async function pronounceChunk(
  pool: InferencePool,
  { read, job }: ChunkReader,
  { chunk, ...known }: KnownWords & { readonly chunk: PlannedChunk },
): Promise<readonly HeardWord[]> {
  if (known.words.length === 0) return [];
  const pronounced = await pool.pronounce(await readChunk(read, chunk), known, job);
  return pronounced.map((word) => wordOfChunk(word, chunk));
}
