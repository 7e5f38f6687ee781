// How much a batch worker takes at once.
import type { InferencePool } from '../../models/inference/jobs.ts';

/** Concurrently opened recordings: each streams, but each also needs a decoder and a buffer. */
export const openRecordings = 16;
/** Concurrently opened recordings of batches. */
export const openBulkRecordings = 8;
export const webhookSenders = 32;

/** Spans end at different times: with a spare one per process no process waits for the last. */
export function spansOf({ size }: InferencePool): number {
  return 2 * size;
}
