// Identifies one run of a request id.
import { wholeKey } from './whole-key.ts';

/** A step of an older attempt never affects a newer one. */
export interface RequestRef {
  readonly organizationId: string;
  readonly requestId: string;
  readonly attempt: number;
}

/**
 * One claim of an attempt. An id that was left unused is claimed again as the same attempt, with
 * another upload; streams have none.
 */
export interface ClaimRef extends RequestRef {
  readonly uploadKey?: string;
}

/** The columns that identify an attempt, in `requests` and in the ledger. */
export function attemptKey({ organizationId, requestId, attempt }: RequestRef) {
  return wholeKey({ organizationId, requestId, attempt });
}

/** The columns that identify a claim, in `requests`. */
export function claimKey({ uploadKey, ...ref }: ClaimRef) {
  return { ...attemptKey(ref), ...(uploadKey !== undefined && { uploadKey }) };
}
