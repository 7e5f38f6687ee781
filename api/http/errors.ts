// Maps thrown errors to the status, headers and envelope of the answer.
import { StorageQuotaExceeded } from '../../db/storage-quota.ts';
import { ServiceError } from '../../models/contract/errors.ts';

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

const busyRetrySeconds = 1;
const outageRetrySeconds = 2;

/** Whole seconds of `Retry-After`; null when a retry is useless or the time is unknown. */
export function retryAfterOf({ code, status, retryAfterSeconds }: ServiceError): number | null {
  if (retryAfterSeconds !== null) return retryAfterSeconds;
  if (status === 429) return busyRetrySeconds;
  return code === 'not_ready' || code === 'setup_unconfirmed' ? outageRetrySeconds : null;
}

/** Headers that depend on the error. */
export function headersOf(error: ServiceError): Readonly<Record<string, string>> {
  const retryAfterSeconds = retryAfterOf(error);
  return {
    ...(retryAfterSeconds !== null && { 'Retry-After': String(retryAfterSeconds) }),
    ...(error.status === 401 && { 'WWW-Authenticate': 'Bearer' }),
    ...(error.status === 426 && { Upgrade: 'websocket' }),
    ...(error.code === 'session_capacity_unavailable' && { 'X-Svc-Admission': 'not-admitted' }),
  };
}

/**
 * Anything but a ServiceError is a server error: the caller gets a generic text, the log the rest.
 */
export function toServiceError(cause: unknown): ServiceError {
  if (cause instanceof ServiceError) return cause;
  if (cause instanceof StorageQuotaExceeded) {
    return new ServiceError('storage_quota_exceeded', cause.message);
  }
  if (isOutage(cause)) {
    const message =
      'A dependency of the service is unavailable; send the request again with the same id.';
    return new ServiceError('not_ready', message, { cause });
  }
  return new ServiceError('internal_error', 'An internal error occurred; try again.', {
    cause,
  });
}

/**
 * Node's network errors and full disks; PostgreSQL's classes 08 (connection), 28 (credentials), 3D
 * (no such database), 53 (resources) and 57P (shutdown), its timeouts and deadlocks, and the errors
 * of a standby or a failing disk.
 */
const outageCodes: readonly RegExp[] = [
  /^E(CONN\w+|TIMEDOUT|PIPE|HOSTUNREACH|NOTFOUND|AI_AGAIN|NOSPC|DQUOT)$/,
  /^((08|28|3D|53)\w{3}|57P\d\d|57014|55P03|25P03|58030|25006|40001|40P01)$/,
];
/** The pool's own errors have no code. */
const outageMessages: readonly RegExp[] = [
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect)/,
  /^Client (was closed|has encountered a connection error) and is not queryable/,
];
/** Storage that rejects the service's credentials, has no such bucket, or limits its requests. */
const refusingStatuses: readonly number[] = [401, 403, 404, 429];
/** The same with status 400; of the SDK, when its chain of credentials is empty. */
const credentialErrors: readonly string[] = [
  'CredentialsProviderError',
  'ExpiredToken',
  'InvalidToken',
  'TokenRefreshRequired',
];
/** gRPC: DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, UNAVAILABLE. */
const outageStatuses: readonly unknown[] = [4, 8, 14];
const maxCauses = 4;

/**
 * True when database, object storage or Temporal could not be reached or did not admit the service,
 * rather than rejecting a request.
 */
function isOutage(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > maxCauses) return false;
  const { code, $metadata } = error as {
    readonly code?: unknown;
    readonly $metadata?: { readonly httpStatusCode?: number };
  };
  if (typeof code === 'string' && outageCodes.some((known) => known.test(code))) return true;
  if (outageStatuses.includes(code)) return true;
  const status = $metadata?.httpStatusCode ?? 0;
  if (status >= 500 || error.name === 'TimeoutError') return true;
  // A missing object is a mistake of the service itself.
  if (refusingStatuses.includes(status) && error.name !== 'NoSuchKey') return true;
  if (credentialErrors.includes(error.name)) return true;
  if (outageMessages.some((known) => known.test(error.message))) return true;
  const inner = error instanceof AggregateError ? error.errors : [];
  return [error.cause, ...inner].some((cause) => isOutage(cause, depth + 1));
}
