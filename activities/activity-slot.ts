// An activity's place in its worker: what one organization starts never keeps another's waiting.
import type { FairSemaphore } from '../models/fairness/fair-semaphore.ts';
import type { ActivityRun } from './run-activity.ts';

/** So long an activity of the queue keeps one of the worker's few slots that are no places. */
const timeoutMs = 1_000;

/**
 * Runs `body` with a place of its organization. What is in a workflow task waits for one; what
 * comes from a queue goes back to it after a while, where the organizations are told apart.
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
