// Places for runs that are beginning, which organizations share.
import { createFairLine } from '../../models/fairness/fair-line.ts';

/**
 * Claim, start and first step of a run are a few dozen statements and commits, of which PostgreSQL
 * and Temporal do one after the other: whoever begins hundreds of runs would stand before
 * everybody else there, where no share is kept.
 */
const maxBeginning = 8;
/** A run that takes longer has begun, and waits for processes that organizations share. */
const beginningMs = 1_000;

/**
 * Waits until a run of the organization may begin: at once below its share, else in turn.
 * @returns gives the place back; it is given back anyway when the run must have begun
 */
export type EnterBeginning = (organizationId: string) => Promise<() => void>;

export function createBeginnings(): EnterBeginning {
  const line = createFairLine(maxBeginning);
  return async (organizationId) => {
    const leave = await line.enter(organizationId);
    const timer = setTimeout(leave, beginningMs);
    return () => {
      clearTimeout(timer);
      leave();
    };
  };
}
