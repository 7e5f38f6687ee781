// Places for runs that are beginning, which organizations share.
import { createFairSemaphore } from '../../models/fairness/fair-semaphore.ts';

/**
 * Claim, start and first step of a run are a few dozen statements and commits, of which PostgreSQL
 * and Temporal do one after the other: whoever begins hundreds of runs would stand before
 * everybody else there, where no share is kept.
 */
const maxStarting = 8;
/** A run that takes longer has begun, and waits for processes that organizations share. */
const startSlotMs = 1_000;

/**
 * Waits until a run of the organization may begin: at once below its share, else in turn.
 * @returns gives the place back; it is given back anyway when the run must have begun
 */
export type AcquireStart = (organizationId: string) => Promise<() => void>;

export function createStartGate(): AcquireStart {
  const semaphore = createFairSemaphore(maxStarting);
  return async (organizationId) => {
    const release = await semaphore.acquire(organizationId);
    const timer = setTimeout(release, startSlotMs);
    return () => {
      clearTimeout(timer);
      release();
    };
  };
}
