// Batches: a row each, from validating to one of three ends; who may change what, once.
import { sql } from 'kysely';
import { finalCounts } from './batch-counts.ts';
import type { Db } from './database.ts';
import { olderThan, toPage, type Page, type PageRequest } from './pages.ts';
import type { BatchRow, BatchStatus, StoredBatch } from './batch-tables.ts';

export function toBatch(row: BatchRow): StoredBatch {
  const metadata = JSON.parse(row.metadata) as StoredBatch['metadata'];
  return { ...row, options: JSON.parse(row.options) as unknown, metadata };
}

/** One that has not ended has not begun to grow old. */
const isKept = sql<boolean>`(expires_at > now() OR ended_at IS NULL)`;

export async function findBatch(
  db: Db,
  organizationId: string,
  id: string,
): Promise<StoredBatch | null> {
  const [batch] = await findBatches(db, organizationId, [id]);
  return batch ?? null;
}

/** In the order of their ids; those that are gone are left out. */
export async function findBatches(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<readonly StoredBatch[]> {
  const rows = await db
    .selectFrom('batches')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('id', '=', sql<string>`any(${ids})`)
    .where(isKept)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => (byId.has(id) ? [toBatch(byId.get(id)!)] : []));
}

/** For workers, which are given ids and no more. */
export async function batchById(db: Db, id: string): Promise<StoredBatch | null> {
  const row = await db.selectFrom('batches').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? toBatch(row) : null;
}

export async function findBatchByKey(
  db: Db,
  organizationId: string,
  idempotencyKey: string,
): Promise<StoredBatch | null> {
  const row = await db
    .selectFrom('batches')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('idempotencyKey', '=', idempotencyKey)
    .executeTakeFirst();
  return row ? toBatch(row) : null;
}

/**
 * Ids of batches, newest first. The rows are read some at a time by `findBatches`: a thousand of
 * them may have 37 MB of metadata.
 */
export async function listBatches(
  db: Db,
  organizationId: string,
  { limit, after }: PageRequest,
): Promise<Page<string>> {
  const rows = await db
    .selectFrom('batches')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where(isKept)
    .where(olderThan('batches', organizationId, after))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  return toPage(
    rows.map(({ id }) => id),
    limit,
  );
}

/** Work begins. @returns how the batch stands now */
export async function beginBatch(db: Db, id: string): Promise<BatchStatus | null> {
  await db
    .updateTable('batches')
    .set({ status: 'in_progress', inProgressAt: sql`now()` })
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
    .set({ status: 'cancelling', cancellingAt: sql`now()` })
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
      endedAt: sql`now()`,
      ...finalCounts(),
      // Its life begins with its end: a batch that took a day is not gone before it is read.
      expiresAt: sql<Date>`now() + (expires_at - created_at)`,
    })
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .execute();
  return batchStatus(db, id);
}

/** What tells whether its workflow is as it should be. */
export type OpenBatch = Pick<BatchRow, 'id' | 'organizationId' | 'total' | 'status'>;

/** Batches that have not ended and are so old that their workflow should long be there. */
export async function openBatches(
  db: Db,
  { olderThanSeconds }: { readonly olderThanSeconds: number },
): Promise<readonly OpenBatch[]> {
  return db
    .selectFrom('batches')
    .select(['id', 'organizationId', 'total', 'status'])
    .where('endedAt', 'is', null)
    .where(
      sql<Date>`coalesce(cancelling_at, created_at)`,
      '<',
      sql<Date>`now() - make_interval(secs => ${olderThanSeconds})`,
    )
    .orderBy('createdAt')
    .limit(500)
    .execute();
}
