// How many items of batches have ended, and how much audio they had.
import { sql } from 'kysely';
import type { StoredBatch } from './batches.ts';
import type { Db } from './database.ts';

/** Sums over a batch's items. */
export interface BatchCounts {
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly audioSeconds: number;
  /** Of the items that have ended. */
  readonly endedBytes: number;
}

type Counted = Pick<
  StoredBatch,
  | ('id' | 'total' | 'ended_at')
  | ('completed_items' | 'failed_items' | 'done_seconds' | 'done_bytes')
>;

export async function countItems(db: Db, batch: Counted): Promise<BatchCounts> {
  const counts = await countItemsOf(db, [batch]);
  return counts.get(batch.id)!;
}

/**
 * The counts of batches by their id: one statement for all that are not counted for good. Of the
 * requests alone: it is asked every second, and a join would read every item.
 */
export async function countItemsOf(
  db: Db,
  batches: readonly Counted[],
): Promise<ReadonlyMap<string, BatchCounts>> {
  const open = batches.filter((batch) => batch.completed_items === null).map(({ id }) => id);
  const rows = open.length === 0 ? [] : await groupedCounts(db, open);
  const byId = new Map(rows.map((row) => [row.batch_id, row]));
  return new Map(batches.map((batch) => [batch.id, toCounts(batch, byId.get(batch.id))]));
}

function groupedCounts(db: Db, ids: readonly string[]) {
  return db
    .selectFrom('requests')
    .select('batch_id')
    .select([countOf('completed').as('completed'), countOf('failed').as('failed')])
    .select([countOf('closed').as('closed'), sumOf('billable_seconds').as('seconds')])
    .select(sumOf('upload_bytes').as('bytes'))
    .where('batch_id', '=', sql<string>`any(${ids})`)
    .groupBy('batch_id')
    .execute();
}

type Grouped = Awaited<ReturnType<typeof groupedCounts>>[number];

/** Items that no request was made for end with their batch. */
function toCounts(batch: Counted, found: Grouped | undefined): BatchCounts {
  const { total, ended_at: endedAt } = batch;
  const completed = batch.completed_items ?? Number(found?.completed ?? 0);
  const failed = batch.failed_items ?? Number(found?.failed ?? 0);
  return {
    completed,
    failed,
    cancelled: endedAt ? total - completed - failed : Number(found?.closed ?? 0),
    audioSeconds: Number(batch.done_seconds ?? found?.seconds ?? 0),
    endedBytes: Number(batch.done_bytes ?? found?.bytes ?? 0),
  };
}

function countOf(state: string) {
  return sql<string>`count(*) FILTER (WHERE state = ${sql.lit(state)})`;
}

function sumOf(column: string) {
  return sql<string>`coalesce(sum(${sql.ref(column)})
    FILTER (WHERE state IN ('completed', 'failed')), 0)`;
}

/** The columns of a batch that ends, counted in its own statement. */
export function finalCounts() {
  const of = (value: ReturnType<typeof countOf>) =>
    sql<never>`(SELECT ${value} FROM requests WHERE requests.batch_id = batches.id)`;
  return {
    completed_items: of(countOf('completed')),
    failed_items: of(countOf('failed')),
    done_seconds: of(sumOf('billable_seconds')),
    done_bytes: of(sumOf('upload_bytes')),
  };
}
