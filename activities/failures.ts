// Maps errors of an activity to Temporal failures: the type is the error code and decides about
// retries.
import { ApplicationFailure, CancelledFailure } from '@temporalio/activity';
import { AllowanceExhausted } from '../db/balance.ts';
import { SessionCapacityExhausted } from '../db/sessions.ts';
import { AccountSuspended } from '../db/account-status.ts';
import { RequestNotRunning } from '../db/settlement.ts';
import { AcquireTimeout } from '../models/fairness/fair-semaphore.ts';
import {
  ServiceError,
  errorRules,
  isFaultOfCaller,
  type ErrorCode,
  type RequestFailure,
} from '../models/contract/errors.ts';
import { InferenceFailed, InferenceProcessDied } from '../models/inference/errors.ts';

/** A retry does not bring a missing model back. */
const missingModels: readonly ErrorCode[] = ['diarization_upstream_failed', 'model_unavailable'];

/**
 * The failure to throw from an activity:
 * - client errors (4xx) are not retried;
 * - work that found no slot in its worker is retried soon, by any worker;
 * - the pool has already retried a dead inference process, and a failing model is not retried;
 * - every other error (storage, database) is an outage and retried until the activity's deadline.
 */
export function toActivityFailure(error: unknown): Error {
  if (error instanceof CancelledFailure || error instanceof ApplicationFailure) return error;
  if (error instanceof AcquireTimeout) return noSlot(error);
  const rejection = describeRejection(error);
  return rejection ? terminal(rejection, error) : retryable(error);
}

/**
 * For work that no caller waits for: what is limited is retried when the limit allows it, so that
 * it holds no slot of its worker until then.
 */
export function retryLater(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.code !== 'rate_limited') return error;
  const { retryAfterSeconds } = error;
  return retryable(error, retryAfterSeconds === null ? undefined : `${retryAfterSeconds}s`);
}

/** True for a failure that the recording or its account caused. */
export function isClientError(failure: Error): boolean {
  return isFaultOfCaller(failure instanceof ApplicationFailure ? failure.type : null);
}

/**
 * The failure of a request whose recording or account caused it; null for an error that a retry may
 * resolve.
 */
export function describeRejection(error: unknown): RequestFailure | null {
  const rejection = (code: ErrorCode, message: string): RequestFailure => ({
    code,
    message,
    param: error instanceof ServiceError ? error.param : null,
  });
  if (error instanceof ServiceError) {
    const lasts = errorRules[error.code].status < 500 || missingModels.includes(error.code);
    return lasts ? rejection(error.code, error.message) : null;
  }
  if (error instanceof AllowanceExhausted) return rejection('allowance_exhausted', error.message);
  if (error instanceof SessionCapacityExhausted) {
    return rejection('session_capacity_unavailable', error.message);
  }
  if (error instanceof AccountSuspended) return rejection('account_suspended', error.message);
  if (error instanceof RequestNotRunning) {
    return rejection('internal_error', 'The request was ended while it was being worked on.');
  }
  if (error instanceof InferenceProcessDied || error instanceof InferenceFailed) {
    return rejection('internal_error', 'The audio could not be analysed.');
  }
  return null;
}

/** Ends an outage that a caller has waited for long enough; the request id may be used again. */
export function outageFailure(error: unknown): ApplicationFailure {
  const message = 'A part of the service cannot be reached; send it again with the same id.';
  return terminal({ code: 'not_ready', message, param: null }, error);
}

/** A file can be deleted while the batch that names it is being created. */
export function fileGone(param: 'file_id' | 'source.url', cause?: Error): ServiceError {
  const message = 'The file was deleted before it was analysed.';
  return new ServiceError('missing_file', message, { param, cause });
}

/** Whether Temporal retries the activity after this failure. */
export function isRetried(failure: Error): boolean {
  return failure instanceof ApplicationFailure && !failure.nonRetryable;
}

/**
 * A write-once key is taken by what a lost worker has stored. A local activity that is repeated
 * after a crash still reports attempt 1; its next attempt deletes the object first.
 */
export function isRepeat(error: unknown, attempt: number): boolean {
  return attempt === 1 && error instanceof Error && error.name === 'PreconditionFailed';
}

/** A retry soon after finds the disk still full. */
export function isDiskFull(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return error instanceof Error && (code === 'ENOSPC' || code === 'EDQUOT');
}

function terminal({ code, message, param }: RequestFailure, error: unknown): ApplicationFailure {
  const retryAfter = error instanceof ServiceError ? error.retryAfterSeconds : null;
  return ApplicationFailure.create({
    type: code,
    message,
    nonRetryable: true,
    details: [{ param, ...(retryAfter !== null && { retryAfterSeconds: retryAfter }) }],
    // Operators see the cause; the caller only ever sees the message above.
    cause: asError(error),
  });
}

function retryable(error: unknown, nextRetryDelay?: `${number}s`): ApplicationFailure {
  const known = error instanceof ServiceError;
  return ApplicationFailure.create({
    type: known ? error.code : 'internal_error',
    message: known ? error.message : 'A part of the service failed.',
    details: [{ param: null }],
    cause: asError(error),
    ...(nextRetryDelay && { nextRetryDelay }),
  });
}

function noSlot({ message }: AcquireTimeout): ApplicationFailure {
  return ApplicationFailure.create({ type: 'no_place', message, nextRetryDelay: '250ms' });
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
