// Batches: a row each, from `validating` to one of three final states.
import { sql } from 'kysely';
import { finalCounts } from './batch-counts.ts';
import type { Db } from './database.ts';
import {
  olderThan,
  sweptPageRows,
  toPage,
  type OlderAfter,
  type Page,
  type PageRequest,
} from './pages.ts';
import type { BatchStatus } from '../models/contract/batch-status.ts';
import type { BatchRow, StoredBatch } from './batch-tables.ts';
import { readMetadata } from './stored-json.ts';

export function toBatch(row: BatchRow): StoredBatch {
  const metadata = readMetadata(row.metadata);
  return { ...row, options: JSON.parse(row.options) as unknown, metadata };
}

/** The retention time of a batch starts when it ends. */
export const isKept = sql<boolean>`(batches.expires_at > now() OR batches.ended_at IS NULL)`;

export async function findBatch(
  db: Db,
  organizationId: string,
  id: string,
): Promise<StoredBatch | null> {
  const [batch] = await findBatches(db, organizationId, [id]);
  return batch ?? null;
}

/** In the order of the ids; missing batches are left out. */
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

/** Finds a batch by its id alone, for workers. */
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
    .where(isKept)
    .executeTakeFirst();
  return row ? toBatch(row) : null;
}

/**
 * Ids of batches, newest first. Their rows are read a few at a time by `findBatches`, because a
 * thousand of them may have 37 MB of metadata.
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
    .where(olderThan(after))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  return toPage(
    rows.map(({ id }) => id),
    limit,
  );
}

/** Marks the batch as in progress. @returns its status now */
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

/**
 * From now on its items end as cancelled. @returns false when it had ended or was already being
 * cancelled
 */
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
 * Ends a batch once; one that is being cancelled ends as cancelled in any case.
 * @returns its final status; null when there is no such batch
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
      // The retention time starts at the end, so that a batch that took a day can still be read.
      expiresAt: sql<Date>`now() + make_interval(secs =>
        extract(epoch FROM expires_at - created_at))`,
    })
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .execute();
  return batchStatus(db, id);
}

/** What decides whether its workflow is as it should be. */
export type OpenBatch = Pick<BatchRow, 'id' | 'organizationId' | 'total' | 'status' | 'webhookUrl'>;

/** Open batches that are old enough that their workflow must have started: a page. */
export async function openBatches(
  db: Db,
  { olderThanSeconds, after }: OlderAfter,
): Promise<readonly OpenBatch[]> {
  return db
    .selectFrom('batches')
    .select(['id', 'organizationId', 'total', 'status', 'webhookUrl'])
    .where('endedAt', 'is', null)
    .where(
      sql<Date>`coalesce(cancelling_at, created_at)`,
      '<',
      sql<Date>`now() - make_interval(secs => ${olderThanSeconds})`,
    )
    .where('id', '>', after)
    .orderBy('id')
    .limit(sweptPageRows)
    .execute();
}
