// A fair slot for an activity in its worker, so that no organization can keep all of a worker's
// slots.
import type { FairSemaphore } from '../models/fairness/fair-semaphore.ts';
import type { ActivityRun } from './run-activity.ts';

/**
 * How long an activity of the queue may wait here, where it keeps one of the worker's few spare
 * Temporal slots.
 */
const queuedTimeoutMs = 1_000;
/**
 * The same for a local activity, whose time runs while it waits: who got a slot in the last seconds
 * of it would be cut off, and with more waiting than its time serves nearly all would be.
 */
const localTimeoutMs = 60_000;

/**
 * Runs `body` in a slot of its organization. Who waits for too long is tried again: a local
 * activity here, one of the queue by Temporal, which knows the organizations apart by their
 * fairness keys.
 * @throws AcquireTimeout, or what `body` throws
 */
export async function withFairSlot<T>(
  semaphore: FairSemaphore,
  organizationId: string,
  { run, body }: { readonly run: ActivityRun; readonly body: () => Promise<T> },
): Promise<T> {
  const { signal, local } = run;
  const timeoutMs = local ? localTimeoutMs : queuedTimeoutMs;
  const release = await semaphore.acquire(organizationId, { signal, timeoutMs });
  try {
    return await body();
  } finally {
    release();
  }
}
