// The samples of a planned chunk, with the silence that a recording lacks around its speech.
import { sampleRate } from '../../audio/sample-rate.ts';
import { withSilence, type ReadSamples } from '../../audio/samples.ts';
import type { Chunk } from './chunk-plan.ts';

interface ChunkOnClock extends Chunk {
  /** Of a channel that is analysed apart: its samples follow those of others. */
  readonly channel?: { readonly clockSample: number };
}

/** The chunk's samples, with the silence that it has before and after them. */
export async function readChunk(read: ReadSamples, chunk: Chunk): Promise<Int16Array> {
  const pcm = await read(chunk);
  const { beforeSamples: before = 0, afterSamples: after = 0 } = chunk.silence ?? {};
  return before + after > 0 ? withSilence(pcm, { before, after }) : pcm;
}

/** Before and after the samples of the recording. */
export function silenceSeconds({ silence }: Pick<Chunk, 'silence'>): {
  readonly before: number;
  readonly after: number;
} {
  const { beforeSamples = 0, afterSamples = 0 } = silence ?? {};
  return { before: beforeSamples / sampleRate, after: afterSamples / sampleRate };
}

/** Of what `readChunk` returns. */
export function chunkSeconds({ startSample, endSample, silence }: Chunk): number {
  const { beforeSamples = 0, afterSamples = 0 } = silence ?? {};
  return (beforeSamples + endSample - startSample + afterSamples) / sampleRate;
}

/**
 * Where the samples that `readChunk` returns begin, in seconds on the clock of the recording;
 * negative within the silence before it.
 */
export function chunkStart({ startSample, channel, silence }: ChunkOnClock): number {
  return ((channel?.clockSample ?? startSample) - (silence?.beforeSamples ?? 0)) / sampleRate;
}

/**
 * A word on the clock of the recording. What was found to last into the silence around it begins or
 * ends with the recording.
 * @param word seconds from the start of what `readChunk` returns
 */
export function wordOfChunk<Timed extends { readonly start: number; readonly end: number }>(
  word: Timed,
  chunk: ChunkOnClock,
): Timed {
  const offset = chunkStart(chunk);
  const { before, after } = silenceSeconds(chunk);
  const first = offset + before;
  const last = offset + chunkSeconds(chunk) - after;
  const onClock = (seconds: number): number => Math.min(last, Math.max(first, offset + seconds));
  return { ...word, start: onClock(word.start), end: onClock(word.end) };
}
