// The unit of recognition: a stretch of samples that starts and ends in a pause where there is one.

/** Samples of the 16 kHz mono recording, end exclusive. A chunk holds at most 30 s. */
export interface Chunk {
  readonly index: number;
  readonly startSample: number;
  readonly endSample: number;
}
