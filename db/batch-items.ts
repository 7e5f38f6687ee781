// Items of batches and the requests that they become: admission, states and pages.
import { sql, type Selectable } from 'kysely';
import type { BatchItem } from '../models/contract/batch-item.ts';
import type { ItemStatus } from '../models/contract/batch-status.ts';
import type { RequestFailure } from '../models/contract/errors.ts';
import type { StoredBatch } from './batch-tables.ts';
import type { Db } from './database.ts';
import { uploadOf } from './file-contents.ts';
import { shareDone } from './item-progress.ts';
import { releaseReservations } from './ledger.ts';
import { lockOpenItems } from './lock-requests.ts';
import type { RequestRef } from './request-ref.ts';
import { readMetadata } from './stored-json.ts';
import type { RequestTable } from './tables.ts';

/** True while the item waits or is being analysed. */
export function isOpen({ status }: Pick<BatchItem, 'status'>): boolean {
  return status === 'queued' || status === 'running';
}

/** An item is attempted once; a failed recording may be sent in another batch. */
const attempt = 1;

/** A request id with a blank cannot be sent by a caller, so it never collides with one. */
export function itemRequest(organizationId: string, batchId: string, position: number): RequestRef {
  return { organizationId, requestId: `${batchId} ${position}`, attempt };
}

/** Items without a request end with their batch; the state of the others is their request's. */
const statusOf = sql<ItemStatus>`CASE
  WHEN requests.state = 'completed' THEN 'completed'
  WHEN requests.state = 'failed' THEN 'failed'
  WHEN requests.state = 'closed' OR batches.ended_at IS NOT NULL THEN 'cancelled'
  WHEN requests.state = 'running' THEN 'running'
  ELSE 'queued' END`;

const itemRequestId = sql<string>`batch_items.batch_id || ' ' || batch_items.position`;

function itemsOf(db: Db, batchId: string) {
  return db
    .selectFrom('batchItems')
    .innerJoin('batches', 'batches.id', 'batchItems.batchId')
    .leftJoin('files', 'files.id', 'batchItems.fileId')
    .leftJoin('requests', (join) =>
      join
        .onRef('requests.organizationId', '=', 'batches.organizationId')
        // The index by batch finds all of its requests at once.
        .on('requests.batchId', '=', batchId)
        .on('requests.requestId', '=', itemRequestId),
    )
    .leftJoin('itemProgress', (join) =>
      join
        .onRef('itemProgress.batchId', '=', 'batchItems.batchId')
        .onRef('itemProgress.position', '=', 'batchItems.position'),
    )
    .where('batchItems.batchId', '=', batchId);
}

export interface ItemRange {
  /** The first position. */
  readonly from: number;
  /** The position after the last one. */
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
    .select([
      'batchItems.position',
      'customId',
      'batchItems.metadata',
      'fileId',
      'batchItems.objectKey',
    ])
    .select(['batchItems.container', 'batchItems.bytes', 'files.sha256'])
    .select(['requests.billableSeconds', 'requests.errorCode'])
    .select(['requests.errorMessage', 'requests.errorParam', statusOf.as('status')])
    .select(['itemProgress.stage', shareDone.as('share')])
    .where('batchItems.position', '>=', from)
    .where('batchItems.position', '<', to)
    .$if(status !== undefined, (query) => query.where(statusOf, '=', status!))
    // The same condition on the column, so that the batch's index by state can be used.
    .$if(status === 'completed' || status === 'failed' || status === 'running', (query) =>
      query.where('requests.state', '=', status as 'completed' | 'failed' | 'running'),
    )
    .orderBy('batchItems.position')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    position: row.position,
    customId: row.customId,
    fileId: row.fileId,
    metadata: readMetadata(row.metadata),
    upload: uploadOf(row) ?? { key: row.objectKey, fileId: row.fileId },
    status: row.status,
    progress: isOpen(row) && row.stage ? { stage: row.stage, share: row.share ?? 0 } : null,
    billableSeconds: row.status === 'completed' ? row.billableSeconds : null,
    error: errorOf(row),
  }));
}

type FailureColumns = Pick<Selectable<RequestTable>, 'errorCode' | 'errorMessage' | 'errorParam'>;

const cancelled: RequestFailure = {
  code: 'cancelled',
  message: 'The item was cancelled before it was analysed.',
  param: null,
};

function errorOf(row: FailureColumns & Pick<BatchItem, 'status'>): RequestFailure | null {
  const { status, errorCode, errorMessage, errorParam } = row;
  if (status === 'cancelled') return cancelled;
  if (status !== 'failed') return null;
  return {
    code: errorCode ?? 'internal_error',
    message: errorMessage ?? 'The analysis could not be finished.',
    param: errorParam,
  };
}

/** Position of an item by the caller's id; null when there is none. */
export async function findPosition(
  db: Db,
  batchId: string,
  customId: string,
): Promise<number | null> {
  const row = await db
    .selectFrom('batchItems')
    .select('position')
    .where('batchId', '=', batchId)
    .where('customId', '=', customId)
    .executeTakeFirst();
  return row?.position ?? null;
}

/**
 * Creates admitted requests for the items `[from, to)`; existing ones stay. A batch that has ended
 * gets none, and none ends meanwhile: a plan may come late, from a worker that was cut off.
 */
export async function admitItems(
  db: Db,
  batch: Pick<StoredBatch, 'id' | 'organizationId' | 'keyId' | 'task' | 'model'>,
  { from, to, ratePerMinute }: ItemRange & { readonly ratePerMinute: number },
): Promise<void> {
  await sql`
    WITH open AS (SELECT FROM batches WHERE id = ${batch.id} AND ended_at IS NULL FOR SHARE)
    INSERT INTO requests (organization_id, request_id, fingerprint, key_id, task, model,
      microusd_per_minute, upload_key, upload_bytes, batch_id)
    SELECT ${batch.organizationId}, batch_id || ' ' || position, 'batch', ${batch.keyId},
      ${batch.task}, ${batch.model}, ${ratePerMinute}::int, object_key, bytes, batch_id
    FROM batch_items WHERE batch_id = ${batch.id} AND position >= ${from}::int
      AND position < ${to}::int AND EXISTS (SELECT FROM open)
    ON CONFLICT DO NOTHING`.execute(db);
}

/** How the open items of a batch end; `closed` is shown as cancelled. */
export interface ItemsEnd {
  readonly state: 'failed' | 'closed';
  readonly code: string;
  readonly message: string;
  readonly param?: string | null;
  readonly positions?: readonly number[];
}

/**
 * Ends open items, and releases their reservations in a statement of its own: that of an item which
 * was being reserved is not seen by the statement that waited for the item's row.
 * @param positions absent: all of the batch, because it ends
 * @returns how many have ended
 */
export function endOpenItems(db: Db, batchId: string, end: ItemsEnd): Promise<number> {
  return db.transaction().execute((trx) => endItemsWithin(trx, batchId, end));
}

/** The same within a transaction. */
export async function endItemsWithin(
  trx: Db,
  batchId: string,
  { state, code, message, param = null, positions }: ItemsEnd,
): Promise<number> {
  const named = positions && positions.map((position) => `${batchId} ${position}`);
  await lockOpenItems(trx, batchId, named);
  const ended = await trx
    .updateTable('requests')
    .set({ state, errorCode: code, errorMessage: message, errorParam: param })
    .set({ updatedAt: sql`now()` })
    .where('batchId', '=', batchId)
    .where('state', 'in', ['admitted', 'running'])
    .$if(named !== undefined, (query) => query.where('requestId', '=', sql<string>`any(${named})`))
    .returning(['organizationId', 'requestId', 'attempt'])
    .execute();
  // A batch is of one organization.
  const [first] = ended;
  if (first) await releaseReservations(trx, first.organizationId, ended);
  return ended.length;
}
