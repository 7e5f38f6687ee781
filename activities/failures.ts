// Errors of an activity as they cross Temporal: the type is the error code, and says what is
// retried.
import { ApplicationFailure, CancelledFailure } from '@temporalio/activity';
import { AllowanceExhausted } from '../db/balance.ts';
import { SessionCapacityExhausted } from '../db/sessions.ts';
import { RequestNotRunning } from '../db/usage.ts';
import { ServiceError, errorRules, type ErrorCode } from '../models/errors.ts';
import { InferenceFailed, InferenceProcessDied } from '../models/inference/errors.ts';

/**
 * Audio that kills the inference process this often is given up, so that it cannot go on for ever.
 */
const maxInferenceDeaths = 2;

/** Trying again brings no model back. */
const missingModels: readonly ErrorCode[] = ['diarization_upstream_failed', 'model_unavailable'];

/**
 * The failure to throw from an activity.
 * - the caller's mistakes (4xx) are not retried;
 * - a dead inference process is retried once, a failing model not at all;
 * - everything else (storage, database) is an outage: retried until the activity's deadline.
 * @param attempt the activity's attempt, from 1
 */
export function toActivityFailure(error: unknown, attempt: number): Error {
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
  const poisoned = error instanceof InferenceProcessDied && attempt >= maxInferenceDeaths;
  if (poisoned || error instanceof InferenceFailed) {
    return terminal('internal_error', 'The audio could not be analysed.', error);
  }
  return retryable('internal_error', error);
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
