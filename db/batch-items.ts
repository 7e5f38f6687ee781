// Items of batches and the requests that they become: claims, states, counts, pages.
import { sql } from 'kysely';
import type { NewBatchItem, StoredBatch } from './batches.ts';
import type { Db } from './database.ts';
import { releaseReservation } from './ledger.ts';
import type { RequestRef } from './request-ref.ts';
import type { RequestFailure } from './requests.ts';

/** OpenAI's vocabulary for single items has no word for those that wait. */
export type ItemStatus = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';

export interface BatchItem extends NewBatchItem {
  readonly position: number;
  readonly status: ItemStatus;
  /** Billed, and so as long as the recording; null until it is completed. */
  readonly audioSeconds: number | null;
  readonly error: RequestFailure | null;
}

/** It waits, or is being worked on. */
export function isOpen({ status }: Pick<BatchItem, 'status'>): boolean {
  return status === 'queued' || status === 'running';
}

/** An item is tried once: what failed may be sent in another batch. */
const attempt = 1;

/** No caller can send a request id with a blank, so it is never one that a caller chose. */
export function itemRequest(organizationId: string, batchId: string, position: number): RequestRef {
  return { organizationId, requestId: `${batchId} ${position}`, attempt };
}

/** Items that no request was made for end with their batch; the rest are told by their request. */
const statusOf = sql<ItemStatus>`CASE
  WHEN requests.state = 'completed' THEN 'completed'
  WHEN requests.state = 'failed' THEN 'failed'
  WHEN requests.state = 'closed' OR batches.ended_at IS NOT NULL THEN 'cancelled'
  WHEN requests.state = 'running' THEN 'running'
  ELSE 'queued' END`;

function itemsOf(db: Db, batchId: string) {
  return db
    .selectFrom('batch_items')
    .innerJoin('batches', 'batches.id', 'batch_items.batch_id')
    .leftJoin('requests', (join) =>
      join
        .onRef('requests.organization_id', '=', 'batches.organization_id')
        .on('requests.request_id', '=', sql<string>`batch_items.batch_id || ' ' || position`),
    )
    .where('batch_items.batch_id', '=', batchId);
}

export interface ItemRange {
  /** First position. */
  readonly from: number;
  /** Position behind the last one. */
  readonly to: number;
  readonly status?: ItemStatus;
  readonly limit?: number;
}

/** Items `[from, to)` in order. */
export async function readItems(
  db: Db,
  batchId: string,
  { from, to, status, limit = 100_000 }: ItemRange,
): Promise<readonly BatchItem[]> {
  const rows = await itemsOf(db, batchId)
    .select(['position', 'custom_id', 'batch_items.metadata', 'file_id', 'object_key'])
    .select(['container', 'batch_items.bytes', 'requests.billable_seconds', 'requests.error_code'])
    .select(['requests.error_message', 'requests.error_param', statusOf.as('status')])
    .where('position', '>=', from)
    .where('position', '<', to)
    .$if(status !== undefined, (query) => query.where(statusOf, '=', status!))
    .orderBy('position')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    position: row.position,
    customId: row.custom_id,
    metadata: JSON.parse(row.metadata) as Record<string, string>,
    fileId: row.file_id,
    objectKey: row.object_key,
    container: row.container,
    bytes: row.bytes,
    status: row.status,
    audioSeconds: row.status === 'completed' ? row.billable_seconds : null,
    error: row.status === 'failed' ? errorOf(row) : null,
  }));
}

function errorOf(row: {
  error_code: string | null;
  error_message: string | null;
  error_param: string | null;
}): RequestFailure {
  return {
    code: row.error_code ?? 'internal_error',
    message: row.error_message ?? 'The analysis could not be finished.',
    param: row.error_param,
  };
}

/** Position of an item by the caller's id; null when there is none. */
export async function findPosition(
  db: Db,
  batchId: string,
  customId: string,
): Promise<number | null> {
  const row = await db
    .selectFrom('batch_items')
    .select('position')
    .where('batch_id', '=', batchId)
    .where('custom_id', '=', customId)
    .executeTakeFirst();
  return row?.position ?? null;
}

/** Sums over a batch's items. */
export interface BatchCounts {
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly audioSeconds: number;
  /** Of the items that have ended. */
  readonly endedBytes: number;
}

/** Of the requests alone: it is asked every second, and a join would read every item. */
export async function countItems(
  db: Db,
  { id, total, ended_at: endedAt }: Pick<StoredBatch, 'id' | 'total' | 'ended_at'>,
): Promise<BatchCounts> {
  const count = (state: string) => sql<string>`count(*) FILTER (WHERE state = ${state})`;
  const sum = (column: string) => sql<string>`coalesce(sum(${sql.ref(column)})
    FILTER (WHERE state IN ('completed', 'failed')), 0)`;
  const row = await db
    .selectFrom('requests')
    .select([count('completed').as('completed'), count('failed').as('failed')])
    .select([count('closed').as('closed'), sum('billable_seconds').as('seconds')])
    .select(sum('upload_bytes').as('ended_bytes'))
    .where('batch_id', '=', id)
    .executeTakeFirstOrThrow();
  const [completed, failed] = [Number(row.completed), Number(row.failed)];
  return {
    completed,
    failed,
    // Items that no request was made for end with their batch.
    cancelled: endedAt ? total - completed - failed : Number(row.closed),
    audioSeconds: Number(row.seconds),
    endedBytes: Number(row.ended_bytes),
  };
}

/** Makes the requests of the items `[from, to)`, admitted; those that are there stay. */
export async function admitItems(
  db: Db,
  batch: Pick<StoredBatch, 'id' | 'organization_id' | 'key_id' | 'task' | 'model'>,
  { from, to, ratePerMinute }: ItemRange & { readonly ratePerMinute: number },
): Promise<void> {
  await sql`
    INSERT INTO requests (organization_id, request_id, fingerprint, key_id, task, model,
      microusd_per_minute, upload_key, upload_bytes, batch_id)
    SELECT ${batch.organization_id}, batch_id || ' ' || position, 'batch', ${batch.key_id},
      ${batch.task}, ${batch.model}, ${ratePerMinute}::int, object_key, bytes, batch_id
    FROM batch_items WHERE batch_id = ${batch.id} AND position >= ${from}::int
      AND position < ${to}::int
    ON CONFLICT DO NOTHING`.execute(db);
}

/**
 * Ends what is still open when a batch ends, and gives back what it reserved.
 * @param state `closed` shows as cancelled
 */
export async function endOpenItems(
  db: Db,
  batchId: string,
  { state, message }: { readonly state: 'failed' | 'closed'; readonly message: string },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const ended = await trx
      .updateTable('requests')
      .set({ state, error_code: 'internal_error', error_message: message, updated_at: sql`now()` })
      .where('batch_id', '=', batchId)
      .where('state', 'in', ['admitted', 'running'])
      .returning(['organization_id', 'request_id', 'attempt'])
      .execute();
    for (const row of ended) {
      const { organization_id: organizationId, request_id: requestId } = row;
      await releaseReservation(trx, { organizationId, requestId, attempt: row.attempt });
    }
  });
}
