// Where a call is of which an operator knows an id, and neither organization nor batch.
import { sql } from 'kysely';
import type { Db } from './database.ts';

export interface Whereabouts {
  readonly organizationId: string;
  readonly requestId: string;
  /** Of an item of a batch; null for a request of its own. */
  readonly batchId: string | null;
  readonly customId: string | null;
  /** Null for an item that no request was made for: it waits, or its batch has ended before. */
  readonly state: string | null;
  readonly attempt: number | null;
  readonly model: string;
  readonly task: string;
  readonly errorCode: string | null;
  readonly changedAt: Date | null;
}

/** More than an operator reads: the id is not one. */
const maxFound = 100;

/** Requests with the id, and items of batches with the caller's id for them. */
export async function findWhereabouts(db: Db, id: string): Promise<readonly Whereabouts[]> {
  const { rows } = await sql<Whereabouts>`
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
