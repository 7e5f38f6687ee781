// The failure of a request: its row, and the metric by code and by who caused it.
import type { ClaimRef } from '../db/request-ref.ts';
import { failRequest } from '../db/requests.ts';
import type { RequestFailure } from '../models/contract/errors.ts';
import type { ActivityDependencies } from './dependencies.ts';

interface FailedRequest extends ClaimRef {
  /** Set for an item of a batch. */
  readonly batch?: unknown;
}

/** Counts nothing when the attempt had already ended. */
export async function recordFailure(
  { db, metrics }: Pick<ActivityDependencies, 'db' | 'metrics'>,
  request: FailedRequest,
  failure: RequestFailure,
): Promise<void> {
  const isEnded = await failRequest(db, request, failure);
  if (isEnded) metrics.failed({ code: failure.code, bulk: request.batch !== undefined });
}
