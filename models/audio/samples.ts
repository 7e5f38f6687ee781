// Samples of a recording as every model takes them: PCM16, 16 kHz, one channel.

/** Samples of a decoded recording, end exclusive. */
export interface SampleSpan {
  readonly startSample: number;
  readonly endSample: number;
}

/** Reads samples of a recording, wherever it is kept. */
export type ReadSamples = (span: SampleSpan) => Promise<Int16Array>;

/** Reads a recording whose samples are all in memory. */
export function samplesInMemory(pcm: Int16Array): ReadSamples {
  return async ({ startSample, endSample }) => pcm.subarray(startSample, endSample);
}
