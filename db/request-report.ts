// The state of a request, for an operator who answers a customer.
import type { Db } from './database.ts';
import type { RequestState } from './tables.ts';

export interface RequestDescription {
  readonly organizationId: string;
  readonly requestId: string;
  /** The batch of an item; null for a request outside batches. */
  readonly batchId: string | null;
  readonly state: RequestState;
  readonly attempt: number;
  readonly model: string;
  readonly task: string;
  readonly keyId: string;
  /** null until it completed. */
  readonly billableSeconds: number | null;
  /** Error code of a failed attempt. */
  readonly errorCode: string | null;
  readonly admittedAt: Date;
  readonly changedAt: Date;
}

/**
 * null when the organization has no such id: it was rejected before admission, or for lack of
 * minutes.
 */
export async function describeRequest(
  db: Db,
  organizationId: string,
  requestId: string,
): Promise<RequestDescription | null> {
  const row = await db
    .selectFrom('requests')
    .select(['organizationId', 'requestId', 'batchId', 'state', 'attempt', 'model', 'task'])
    .select('keyId')
    .select(['billableSeconds', 'errorCode', 'createdAt as admittedAt', 'updatedAt as changedAt'])
    .where('organizationId', '=', organizationId)
    .where('requestId', '=', requestId)
    .executeTakeFirst();
  return row ?? null;
}
