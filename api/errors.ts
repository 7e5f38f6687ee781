// From whatever was thrown to what the caller reads.
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

/** What is not a ServiceError is ours: the caller gets a generic text, the log the rest. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  return new ServiceError('internal_error', 'Something failed inside the service; try again.', {
    cause: error,
  });
}
