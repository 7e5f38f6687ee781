// How much a batch worker processes concurrently, and what gives way to others there.
import { sampleRate } from '../../models/audio/sample-rate.ts';
import { shortClipSeconds } from '../../models/contract/clip.ts';
import { createAudioBudget } from '../../models/fairness/audio-budget.ts';
import { createBulkPace } from '../../models/fairness/bulk-pace.ts';
import { createDecodePace } from '../../models/fairness/decode-pace.ts';
import { createFairSemaphore } from '../../models/fairness/fair-semaphore.ts';
import { createPresence } from '../../models/fairness/presence.ts';
import { othersStayMs } from '../../models/fairness/start-gate.ts';
import type { InferencePool } from '../../models/inference/jobs.ts';

const leastOpen = 16;
const openPerProcess = 4;
/** Concurrently opened recordings of batches. */
export const openBulkRecordings = 8;
export const webhookSenders = 32;
/** Concurrent fetches of recordings from servers of callers; each needs a file of up to 30 MiB. */
export const sourceFetchers = 16;

/**
 * Concurrently opened recordings of callers: each streams, but each also needs a decoder and a
 * buffer. More than there are processes, because clips that wait at the same time are decoded
 * together: four for hardly more than half of what each costs alone.
 */
export function openRecordingsOf({ size }: InferencePool): number {
  return Math.max(leastOpen, openPerProcess * size);
}

/**
 * What clips may have beyond the length of short ones, in samples: as much as the recordings that
 * are open at once have if each is a short clip. The step of a clip has three minutes, and loses
 * everything when they are over: what a slow or busy machine does not analyse within them has to
 * wait in the queue of spans, whose chunks are kept (docs/adr/0097).
 */
function clipSamplesOf(openRecordings: number): number {
  return openRecordings * shortClipSeconds * sampleRate;
}

/**
 * One span more than there are processes, so that none is idle while a span is being fetched: each
 * holds the samples of its chunks (`chunksInFlight`), which are more than a process takes at once.
 */
export function spansOf({ size }: InferencePool): number {
  return size + 1;
}

/** What bounds the recordings of a lane that are open at once. */
export function createOpenings(openRecordings: number) {
  return {
    openings: createFairSemaphore(openRecordings),
    clipAudio: createAudioBudget(clipSamplesOf(openRecordings)),
  };
}

/** Of both lanes, and the organizations that they give way to. */
export function createPaces() {
  const callers = createPresence(othersStayMs);
  const bulkPace = createBulkPace({ callers });
  return { callers, bulkPace, decodePace: createDecodePace({ callers }) };
}
