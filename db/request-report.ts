// What became of a request, for an operator whom a customer asks.
import type { Db } from './database.ts';
import type { RequestState } from './tables.ts';

export interface RequestDescription {
  readonly organizationId: string;
  readonly requestId: string;
  readonly state: RequestState;
  readonly attempt: number;
  readonly model: string;
  readonly task: string;
  readonly keyId: string;
  /** null until it completed. */
  readonly billableSeconds: number | null;
  /** Of a failed attempt. */
  readonly errorCode: string | null;
  readonly admittedAt: Date;
  readonly changedAt: Date;
}

/** null when the organization has no such id: refused before admission, or for want of minutes. */
export async function describeRequest(
  db: Db,
  organizationId: string,
  requestId: string,
): Promise<RequestDescription | null> {
  const row = await db
    .selectFrom('requests')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('request_id', '=', requestId)
    .executeTakeFirst();
  if (!row) return null;
  return {
    organizationId,
    requestId,
    state: row.state,
    attempt: row.attempt,
    model: row.model,
    task: row.task,
    keyId: row.key_id,
    billableSeconds: row.billable_seconds,
    errorCode: row.error_code,
    admittedAt: row.created_at,
    changedAt: row.updated_at,
  };
}
