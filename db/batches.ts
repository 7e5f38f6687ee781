// Batches: a row each, from validating to one of three ends; who may change what, once.
import { sql, type Selectable } from 'kysely';
import { finalCounts } from './batch-counts.ts';
import type { Db } from './database.ts';
import { batchPrefix } from './object-keys.ts';
import { registerObject } from './objects.ts';
import { olderThan, toPage, type Page, type PageRequest } from './pages.ts';
import { newId } from './secrets.ts';
import { requireKept } from './storage-quota.ts';
import type { BatchStatus, BatchTable } from './batch-tables.ts';

export type StoredBatch = Selectable<BatchTable>;

export interface NewBatchItem {
  readonly customId: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly fileId: string;
  readonly objectKey: string;
  readonly container: string;
  readonly bytes: number;
}

export interface NewBatch {
  readonly organizationId: string;
  readonly keyId: string;
  readonly task: string;
  readonly model: string;
  readonly options: object;
  readonly metadata: Readonly<Record<string, string>>;
  readonly webhookUrl: string | null;
  readonly items: readonly NewBatchItem[];
  readonly lifeSeconds: number;
  readonly idempotencyKey: string | null;
  readonly fingerprint: string;
}

/** One that has not ended has not begun to grow old. */
const isKept = sql<boolean>`(expires_at > now() OR ended_at IS NULL)`;

/**
 * Batch and items in one transaction. Null: its idempotency key is used.
 * @throws StorageQuotaExceeded
 */
export function createBatch(db: Db, batch: NewBatch): Promise<StoredBatch | null> {
  const { organizationId, items } = batch;
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .insertInto('batches')
      .values({
        id: newId('batch_'),
        organization_id: organizationId,
        key_id: batch.keyId,
        task: batch.task,
        model: batch.model,
        options: JSON.stringify(batch.options),
        metadata: JSON.stringify(batch.metadata),
        webhook_url: batch.webhookUrl,
        total: items.length,
        bytes: String(items.reduce((sum, item) => sum + item.bytes, 0)),
        idempotency_key: batch.idempotencyKey,
        fingerprint: batch.fingerprint,
        expires_at: sql<Date>`now() + make_interval(secs => ${batch.lifeSeconds})`,
      })
      .onConflict((conflict) =>
        conflict.columns(['organization_id', 'idempotency_key']).doNothing(),
      )
      .returningAll()
      .executeTakeFirst();
    if (!row) return null;
    await requireKept(trx, organizationId);
    for (let at = 0; at < items.length; at += rowsAtOnce) {
      await insertItems(trx, row.id, { from: at, items: items.slice(at, at + rowsAtOnce) });
    }
    const key = batchPrefix(organizationId, row.id);
    await registerObject(trx, { key, organizationId, kind: 'batch' });
    return row;
  });
}

/** Rows of one statement: ten thousand would take their process a tenth of a second to write. */
const rowsAtOnce = 250;

/** One statement, rows by columns. @param from position of the first */
async function insertItems(
  trx: Db,
  batchId: string,
  { from, items }: { readonly from: number; readonly items: readonly NewBatchItem[] },
): Promise<void> {
  const column = <T>(value: (item: NewBatchItem) => T): readonly T[] => items.map(value);
  const given = sql`unnest(${column((item) => item.customId)}::text[],
    ${column((item) => JSON.stringify(item.metadata))}::text[],
    ${column((item) => item.fileId)}::text[], ${column((item) => item.objectKey)}::text[],
    ${column((item) => item.container)}::text[], ${column((item) => item.bytes)}::int[])`;
  const columns = sql`custom_id, metadata, file_id, object_key, container, bytes`;
  const query = sql`INSERT INTO batch_items (batch_id, position, ${columns})
    SELECT ${batchId}, ${from}::int + ordinality - 1, ${columns}
    FROM ${given} WITH ORDINALITY AS given (${columns})`;
  await query.execute(trx);
}

export async function findBatch(
  db: Db,
  organizationId: string,
  id: string,
): Promise<StoredBatch | null> {
  const row = await db
    .selectFrom('batches')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where(isKept)
    .executeTakeFirst();
  return row ?? null;
}

/** For workers, which are given ids and no more. */
export async function batchById(db: Db, id: string): Promise<StoredBatch | null> {
  const row = await db.selectFrom('batches').selectAll().where('id', '=', id).executeTakeFirst();
  return row ?? null;
}

export async function findBatchByKey(
  db: Db,
  organizationId: string,
  idempotencyKey: string,
): Promise<StoredBatch | null> {
  const row = await db
    .selectFrom('batches')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('idempotency_key', '=', idempotencyKey)
    .executeTakeFirst();
  return row ?? null;
}

/** Newest first. */
export async function listBatches(
  db: Db,
  organizationId: string,
  { limit, after }: PageRequest,
): Promise<Page<StoredBatch>> {
  const rows = await db
    .selectFrom('batches')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where(isKept)
    .where(olderThan('batches', organizationId, after))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  return toPage(rows, limit);
}

/** Work begins. @returns how the batch stands now */
export async function beginBatch(db: Db, id: string): Promise<BatchStatus | null> {
  await db
    .updateTable('batches')
    .set({ status: 'in_progress', in_progress_at: sql`now()` })
    .where('id', '=', id)
    .where('status', '=', 'validating')
    .execute();
  return batchStatus(db, id);
}

async function batchStatus(db: Db, id: string): Promise<BatchStatus | null> {
  const row = await db
    .selectFrom('batches')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.status ?? null;
}

/** From here on its items end as cancelled. False: it had ended, or was being cancelled. */
export async function cancelBatch(db: Db, id: string): Promise<boolean> {
  const row = await db
    .updateTable('batches')
    .set({ status: 'cancelling', cancelling_at: sql`now()` })
    .where('id', '=', id)
    .where('status', 'in', ['validating', 'in_progress'])
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * The end of a batch, once; one that was being cancelled ends as cancelled whatever comes.
 * @returns the status that it has ended with, or null when there is no such batch
 */
export async function endBatch(
  db: Db,
  id: string,
  status: 'completed' | 'failed',
): Promise<BatchStatus | null> {
  await db
    .updateTable('batches')
    .set({
      status: sql<BatchStatus>`CASE status WHEN 'cancelling' THEN 'cancelled' ELSE ${status} END`,
      ended_at: sql`now()`,
      ...finalCounts(),
      // Its life begins with its end: a batch that took a day is not gone before it is read.
      expires_at: sql<Date>`now() + (expires_at - created_at)`,
    })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .execute();
  return batchStatus(db, id);
}

/** Batches that have not ended and are so old that their workflow should long be there. */
export async function openBatches(
  db: Db,
  { olderThanSeconds }: { readonly olderThanSeconds: number },
): Promise<readonly StoredBatch[]> {
  return db
    .selectFrom('batches')
    .selectAll()
    .where('ended_at', 'is', null)
    .where(
      sql<Date>`coalesce(cancelling_at, created_at)`,
      '<',
      sql<Date>`now() - make_interval(secs => ${olderThanSeconds})`,
    )
    .orderBy('created_at')
    .limit(500)
    .execute();
}
