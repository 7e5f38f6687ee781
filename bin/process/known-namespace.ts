// A namespace that has just been created is unknown to the servers of a Temporal cluster for some
// seconds, and to one whose database did not answer it even later.
import { isGrpcServiceError } from '@temporalio/client';
import { retryWithin, type RetryOptions } from '../../models/concurrency/retry-within.ts';

export const namespaceRetries: RetryOptions = { timeoutMs: 120_000, delayMs: () => 250 };

/** gRPC's status code. */
const notFound = 5;

/** Repeats the call while the server that takes it does not know the namespace. */
export function untilKnown<T>(call: () => Promise<T>): Promise<T> {
  return retryWithin({ ...namespaceRetries, isTransient: isUnknownNamespace }, call);
}

function isUnknownNamespace(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const isNotFound = isGrpcServiceError(cause) && Number(cause.code) === notFound;
  return isNotFound || (error instanceof Error && error.name === 'NamespaceNotFoundError');
}
