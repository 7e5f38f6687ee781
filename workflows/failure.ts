// Maps a failed step to the error code that the caller will see.
import {
  ActivityFailure,
  ApplicationFailure,
  TimeoutFailure,
  isCancellation,
} from '@temporalio/workflow';
import type { RequestFailure } from '../models/contract/errors.ts';

export interface DescribedFailure extends RequestFailure {
  /** An operator or a cancelled batch has ended it. */
  readonly cancelled?: true;
}

/**
 * The code that an activity set; any other failure is a server error, so the request may be
 * retried.
 */
export function describeFailure(error: unknown): DescribedFailure {
  if (isCancellation(error) || wasNotRetried(error)) {
    const message = 'The analysis was cancelled by an operator; the request may be sent again.';
    return { code: 'internal_error', message, param: null, cancelled: true };
  }
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof ApplicationFailure && cause.type) {
    const [details] = (cause.details ?? []) as readonly ({ param?: string | null } | undefined)[];
    return { code: cause.type, message: cause.message, param: details?.param ?? null };
  }
  const message = 'The analysis could not be finished; the request may be sent again.';
  return { code: 'internal_error', message, param: null };
}

/** A step that would have been retried, had it not been cancelled meanwhile. */
function wasNotRetried(error: unknown): boolean {
  if (!(error instanceof ActivityFailure) || error.retryState !== 'CANCEL_REQUESTED') return false;
  // The SDK says the same of a step within the workflow task whose time is over.
  const { cause } = error;
  return !(cause instanceof TimeoutFailure && cause.timeoutType === 'SCHEDULE_TO_CLOSE');
}
