// What a used request id means for a new request: the rules of contract.md; pure.
import { isFaultOfAudio, type RequestFailure } from '../models/contract/errors.ts';
import type { RequestState } from './tables.ts';

/** The columns of a request's row that matter for the decision. */
export interface ExistingRequest {
  readonly fingerprint: string;
  readonly state: RequestState;
  readonly attempt: number;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly errorParam: string | null;
}

export type Claim =
  | { readonly kind: 'admitted'; readonly attempt: number }
  | {
      readonly kind: 'rejected';
      readonly code: 'request_in_progress' | 'request_already_completed' | 'idempotency_conflict';
    }
  | ({ readonly kind: 'failed-by-audio' } & RequestFailure);

/**
 * How a repeated request is handled: most endpoints reject it; on those without a 409 a completed
 * request runs again, without a second debit.
 */
export type RepeatRule = 'reject' | 'run-again';

/** The fingerprint is compared first, whatever the state. */
export function decideClaim(
  existing: ExistingRequest,
  fingerprint: string,
  repeats: RepeatRule = 'reject',
): Claim {
  if (existing.fingerprint !== fingerprint) {
    return { kind: 'rejected', code: 'idempotency_conflict' };
  }
  switch (existing.state) {
    case 'admitted':
    case 'running':
      return { kind: 'rejected', code: 'request_in_progress' };
    case 'completed':
      if (repeats === 'run-again') return { kind: 'admitted', attempt: existing.attempt + 1 };
      return { kind: 'rejected', code: 'request_already_completed' };
    case 'closed':
      return { kind: 'rejected', code: 'request_already_completed' };
    case 'failed': {
      const { errorCode, errorMessage, errorParam, attempt } = existing;
      if (errorCode === null || !isFaultOfAudio(errorCode)) {
        return { kind: 'admitted', attempt: attempt + 1 };
      }
      const message = errorMessage ?? 'The audio could not be used.';
      return { kind: 'failed-by-audio', code: errorCode, message, param: errorParam };
    }
  }
}
