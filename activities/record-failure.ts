// A request that ends as failed: its row, and the count by code and by whose fault it was.
import type { RequestRef } from '../db/request-ref.ts';
import { failRequest, type RequestFailure } from '../db/requests.ts';
import type { ActivityDependencies } from './dependencies.ts';

interface FailedRequest extends RequestRef {
  /** Of an item of a batch. */
  readonly batch?: unknown;
}

export async function recordFailure(
  { db, metrics }: Pick<ActivityDependencies, 'db' | 'metrics'>,
  request: FailedRequest,
  failure: RequestFailure,
): Promise<void> {
  await failRequest(db, request, failure);
  metrics.failed({ code: failure.code, bulk: request.batch !== undefined });
}
