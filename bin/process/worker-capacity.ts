// How much a batch worker processes concurrently.
import type { InferencePool } from '../../models/inference/jobs.ts';

/** Concurrently opened recordings: each streams, but each also needs a decoder and a buffer. */
export const openRecordings = 16;
/** Concurrently opened recordings of batches. */
export const openBulkRecordings = 8;
export const webhookSenders = 32;
/** Concurrent fetches of recordings from servers of callers; each needs a file of up to 30 MiB. */
export const sourceFetchers = 16;

/** Two spans per process, so that none is idle while its next span is being fetched. */
export function spansOf({ size }: InferencePool): number {
  return 2 * size;
}
