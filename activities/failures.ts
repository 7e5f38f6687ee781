// Errors of an activity as they cross Temporal: the type is the error code, and says what is
// retried.
import { ApplicationFailure, CancelledFailure } from '@temporalio/activity';
import { AllowanceExhausted } from '../db/balance.ts';
import { SessionCapacityExhausted } from '../db/sessions.ts';
import type { RequestFailure } from '../db/requests.ts';
import { RequestNotRunning } from '../db/usage.ts';
import { ServiceError, errorRules, type ErrorCode } from '../models/errors.ts';
import { InferenceFailed, InferenceProcessDied } from '../models/inference/errors.ts';

/** Trying again brings no model back. */
const missingModels: readonly ErrorCode[] = ['diarization_upstream_failed', 'model_unavailable'];

/**
 * The failure to throw from an activity.
 * - the caller's mistakes (4xx) are not retried;
 * - a dead inference process has been retried by the pool, a failing model is not;
 * - everything else (storage, database) is an outage: retried until the activity's deadline.
 */
export function toActivityFailure(error: unknown): Error {
  if (error instanceof CancelledFailure || error instanceof ApplicationFailure) return error;
  if (error instanceof ServiceError) {
    return errorRules[error.code].status < 500 || missingModels.includes(error.code)
      ? terminal(error.code, error.message, error)
      : retryable(error.code, error);
  }
  if (error instanceof AllowanceExhausted) {
    return terminal('allowance_exhausted', error.message, error);
  }
  if (error instanceof SessionCapacityExhausted) {
    return terminal('session_capacity_unavailable', error.message, error);
  }
  if (error instanceof RequestNotRunning) {
    return terminal('internal_error', 'The request was ended while it was being worked on.', error);
  }
  if (error instanceof InferenceProcessDied || error instanceof InferenceFailed) {
    return terminal('internal_error', 'The audio could not be analysed.', error);
  }
  return retryable('internal_error', error);
}

/**
 * What the recording itself or its account brought about, as its request's failure; null for
 * everything that may go better next time.
 */
export function describeRefusal(error: unknown): RequestFailure | null {
  const failure = toActivityFailure(error);
  if (!(failure instanceof ApplicationFailure) || !failure.nonRetryable) return null;
  const [details] = (failure.details ?? []) as readonly ({ param?: string | null } | undefined)[];
  const { type, message } = failure;
  return { code: type ?? 'internal_error', message, param: details?.param ?? null };
}

function terminal(code: ErrorCode, message: string, error: Error): ApplicationFailure {
  const param = error instanceof ServiceError ? error.param : null;
  return ApplicationFailure.create({
    type: code,
    message,
    nonRetryable: true,
    details: [{ param }],
    // A cause is shown to operators; the caller only ever sees the message above.
    cause: error,
  });
}

function retryable(code: ErrorCode, error: unknown): ApplicationFailure {
  const message = error instanceof ServiceError ? error.message : 'A part of the service failed.';
  const details = [{ param: null }];
  const cause = error instanceof Error ? error : new Error(String(error));
  return ApplicationFailure.create({ type: code, message, details, cause });
}
