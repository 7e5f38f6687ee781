// From whatever was thrown to what the caller reads.
import { StorageQuotaExceeded } from '../db/storage-quota.ts';
import { ServiceError } from '../models/errors.ts';

/** The error envelope of contract.md. */
export interface ErrorEnvelope {
  readonly error: {
    readonly type: string;
    readonly code: string;
    readonly message: string;
    readonly param: string | null;
    readonly request_id: string | null;
  };
}

export function toEnvelope(error: ServiceError, requestId: string | null): ErrorEnvelope {
  const { type, code, message, param } = error;
  return { error: { type, code, message, param, request_id: requestId } };
}

const outageRetrySeconds = 2;

/** What is not a ServiceError is ours: the caller gets a generic text, the log the rest. */
export function toServiceError(cause: unknown): ServiceError {
  if (cause instanceof ServiceError) return cause;
  if (cause instanceof StorageQuotaExceeded) {
    return new ServiceError('storage_quota_exceeded', cause.message);
  }
  if (isOutage(cause)) {
    const message = 'A part of the service cannot be reached; send it again with the same id.';
    return new ServiceError('not_ready', message, {
      cause,
      retryAfterSeconds: outageRetrySeconds,
    });
  }
  return new ServiceError('internal_error', 'Something failed inside the service; try again.', {
    cause,
  });
}

/**
 * Network errors of Node; PostgreSQL's classes 08 (connection) and 57P (shutting down), no connection
 * left, and its limits of a statement, a lock and an idle transaction.
 */
const outageCodes =
  /^(E(CONN\w+|TIMEDOUT|PIPE|HOSTUNREACH|NOTFOUND|AI_AGAIN)|08\w{3}|57P\d\d|53300|57014|55P03|25P03)$/;
/** The pool's own errors have no code. */
const outageMessages = /^(Connection terminated|timeout exceeded when trying to connect)/;
const maxCauses = 4;

/** True when database or object storage was not there, rather than refusing. */
function isOutage(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > maxCauses) return false;
  const { code, $metadata } = error as {
    readonly code?: unknown;
    readonly $metadata?: { readonly httpStatusCode?: number };
  };
  if (typeof code === 'string' && outageCodes.test(code)) return true;
  if (($metadata?.httpStatusCode ?? 0) >= 500 || error.name === 'TimeoutError') return true;
  if (outageMessages.test(error.message)) return true;
  const inner = error instanceof AggregateError ? error.errors : [];
  return [error.cause, ...inner].some((cause) => isOutage(cause, depth + 1));
}
