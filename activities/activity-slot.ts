// A fair slot for an activity in its worker, so that no organization can keep all of a worker's
// slots.
import type { FairSemaphore } from '../models/fairness/fair-semaphore.ts';
import type { ActivityRun } from './run-activity.ts';

/**
 * How long an activity of the queue may wait here, where it keeps one of the worker's few spare
 * Temporal slots.
 */
const timeoutMs = 1_000;

/**
 * Runs `body` in a slot of its organization. A local activity waits until it has one; an activity
 * of the queue goes back to the queue after a while, where Temporal knows the organizations apart
 * by their fairness keys.
 * @throws AcquireTimeout, or what `body` throws
 */
export async function withFairSlot<T>(
  semaphore: FairSemaphore,
  organizationId: string,
  { run, body }: { readonly run: ActivityRun; readonly body: () => Promise<T> },
): Promise<T> {
  const { signal, local } = run;
  const release = await semaphore.acquire(organizationId, { signal, ...(!local && { timeoutMs }) });
  try {
    return await body();
  } finally {
    release();
  }
}
