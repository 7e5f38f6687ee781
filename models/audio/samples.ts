// Samples as every model takes them: PCM16 at 16 kHz, one channel.

/** What a sample is divided by to be between -1 and 1. */
export const fullScale = 32_768;

/** A range of samples of a decoded recording, end exclusive. */
export interface SampleSpan {
  readonly startSample: number;
  readonly endSample: number;
}

/** A range of time in seconds, from the start of a chunk or of its recording. */
export interface TimeSpan {
  readonly start: number;
  readonly end: number;
}

/** Measures a recording that arrives in blocks, in order. */
export interface SampleCollector<T> {
  /** Takes the next samples. */
  add(pcm: Int16Array): void;
  end(): T;
}

/** Reads samples of a recording from wherever it is kept. */
export type ReadSamples = (span: SampleSpan) => Promise<Int16Array>;

/** Reads a recording from memory. */
export function samplesInMemory(pcm: Int16Array): ReadSamples {
  return async ({ startSample, endSample }) => pcm.subarray(startSample, endSample);
}

/** A copy with zeros before and after. @param silence in samples */
export function withSilence(
  pcm: Int16Array,
  { before = 0, after = 0 }: { readonly before?: number; readonly after?: number },
): Int16Array<ArrayBuffer> {
  const padded = new Int16Array(before + pcm.length + after);
  padded.set(pcm, before);
  return padded;
}

/** The bytes of a view, without a copy. */
export function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** The samples that bytes hold, without a copy. @param bytes at an even offset of their buffer */
export function samplesOf({ buffer, byteOffset, length }: Uint8Array): Int16Array {
  return new Int16Array(buffer, byteOffset, length / Int16Array.BYTES_PER_ELEMENT);
}

/** Concatenates blocks of consecutive samples. */
export function joinSamples(blocks: readonly Int16Array[]): Int16Array<ArrayBuffer> {
  const joined = new Int16Array(blocks.reduce((sum, block) => sum + block.length, 0));
  let offset = 0;
  for (const block of blocks) {
    joined.set(block, offset);
    offset += block.length;
  }
  return joined;
}
