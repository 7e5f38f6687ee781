// The failure of a request: its row, and the metric by code and by who caused it.
import type { ClaimRef } from '../db/request-ref.ts';
import { failRequest } from '../db/requests.ts';
import type { RequestFailure } from '../models/contract/errors.ts';
import type { ActivityDependencies } from './dependencies.ts';

interface FailedRequest extends ClaimRef {
  /** Set for an item of a batch. */
  readonly batch?: unknown;
}

/** @returns false when the attempt had already ended, of which nothing is counted */
export async function recordFailure(
  { db, metrics }: Pick<ActivityDependencies, 'db' | 'metrics'>,
  request: FailedRequest,
  failure: RequestFailure,
): Promise<boolean> {
  const isEnded = await failRequest(db, request, failure);
  if (isEnded) metrics.failed({ code: failure.code, bulk: request.batch !== undefined });
  return isEnded;
}
