// Finds requests and batches of all organizations by an id, for operators.
import { sql } from 'kysely';
import { toBatch } from './batches.ts';
import type { BatchRow, StoredBatch } from './batch-tables.ts';
import type { Db } from './database.ts';

export interface FoundRequest {
  readonly organizationId: string;
  readonly requestId: string;
  /** The batch of an item; null for a request outside batches. */
  readonly batchId: string | null;
  readonly customId: string | null;
  /** Null for an item without a request: it waits, or its batch ended first. */
  readonly state: string | null;
  readonly attempt: number | null;
  readonly model: string;
  readonly task: string;
  readonly errorCode: string | null;
  readonly changedAt: Date | null;
}

/** An id with more matches does not identify a request. */
const maxFound = 100;

/** Requests by their request id, and items of batches by their custom id. */
export async function findRequests(db: Db, id: string): Promise<readonly FoundRequest[]> {
  const { rows } = await sql<FoundRequest>`
    SELECT organization_id, request_id, NULL AS batch_id, NULL AS custom_id, state, attempt,
      model, task, error_code, updated_at AS changed_at
    FROM requests WHERE request_id = ${id} AND batch_id IS NULL
    UNION ALL
    SELECT b.organization_id, i.batch_id || ' ' || i.position, b.id, i.custom_id, r.state,
      r.attempt, b.model, b.task, r.error_code, r.updated_at
    FROM batch_items i
    JOIN batches b ON b.id = i.batch_id
    LEFT JOIN requests r ON r.organization_id = b.organization_id
      AND r.request_id = i.batch_id || ' ' || i.position
    WHERE i.custom_id = ${id}
    LIMIT ${maxFound}`.execute(db);
  return rows;
}

/** Batches by their idempotency key, of which each organization has its own. */
export async function findBatchesByKey(
  db: Db,
  idempotencyKey: string,
): Promise<readonly StoredBatch[]> {
  // One look into the index of organization and key for each organization.
  const { rows } = await sql<BatchRow>`
    SELECT keyed.* FROM organizations
    CROSS JOIN LATERAL (
      SELECT * FROM batches
      WHERE organization_id = organizations.id AND idempotency_key = ${idempotencyKey}
      LIMIT 1
    ) AS keyed
    LIMIT ${maxFound}`.execute(db);
  return rows.map(toBatch);
}
