// How many items of batches have ended, and the seconds that they are charged.
import { sql } from 'kysely';
import type { BatchRow } from './batch-tables.ts';
import type { Db } from './database.ts';
import { shareDone } from './item-progress.ts';

/** Sums over a batch's items. */
export interface BatchCounts {
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly billableSeconds: number;
  /** Bytes of the items that have ended. */
  readonly endedBytes: number;
  /** Items that have ended before their recordings were fetched; 0 once the batch has. */
  readonly endedUnsized: number;
  /** What is done of the items that are being analysed. */
  readonly begun: BegunWork;
}

/** Sums over long items that are being analysed, each multiplied by its share that is done. */
interface BegunWork {
  readonly items: number;
  /** Seconds of audio. */
  readonly seconds: number;
  readonly bytes: number;
}

const noneBegun: BegunWork = { items: 0, seconds: 0, bytes: 0 };

type Counted = Pick<
  BatchRow,
  ('id' | 'total' | 'endedAt') | ('completedItems' | 'failedItems' | 'doneSeconds' | 'doneBytes')
>;

export async function countItems(db: Db, batch: Counted): Promise<BatchCounts> {
  const counts = await countItemsOf(db, [batch]);
  return counts.get(batch.id)!;
}

/**
 * The counts of batches by id, in one statement for all batches without final counts. It reads
 * requests alone: it runs every second, and a join would read every item.
 */
export async function countItemsOf(
  db: Db,
  batches: readonly Counted[],
): Promise<ReadonlyMap<string, BatchCounts>> {
  const open = batches.filter((batch) => batch.completedItems === null).map(({ id }) => id);
  const rows = open.length === 0 ? [] : await groupedCounts(db, open);
  const byId = new Map(rows.map((row) => [row.batchId, row]));
  const begun = open.length === 0 ? new Map<string, BegunWork>() : await begunWork(db, open);
  return new Map(
    batches.map((batch) => {
      const counts = toCounts(batch, byId.get(batch.id));
      return [batch.id, { ...counts, begun: begun.get(batch.id) ?? noneBegun }];
    }),
  );
}

/** Few items of a batch are analysed at a time, and the index by state finds them. */
async function begunWork(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, BegunWork>> {
  const { rows } = await sql<BegunWork & { readonly batchId: string }>`
    SELECT batch_id, sum(share) AS items, sum(share * coalesce(audio_seconds, 0)) AS seconds,
      sum(share * upload_bytes) AS bytes
    FROM (SELECT known.batch_id, upload_bytes, audio_seconds, ${shareDone} AS share
      FROM requests JOIN item_progress AS known ON known.batch_id = requests.batch_id
        AND known.position = split_part(requests.request_id, ' ', 2)::int
      WHERE requests.batch_id = ANY(${ids}) AND requests.state = 'running') AS begun
    GROUP BY batch_id`.execute(db);
  return new Map(rows.map(({ batchId, ...work }) => [batchId, work]));
}

function groupedCounts(db: Db, ids: readonly string[]) {
  return db
    .selectFrom('requests')
    .select('batchId')
    .select([countOf('completed').as('completed'), countOf('failed').as('failed')])
    .select([countOf('closed').as('closed'), sumOf('billableSeconds').as('seconds')])
    .select([sumOf('uploadBytes').as('bytes'), endedUnsized.as('unsized')])
    .where('batchId', '=', sql<string>`any(${ids})`)
    .groupBy('batchId')
    .execute();
}

const endedUnsized = sql<number>`count(*)
  FILTER (WHERE state IN ('completed', 'failed') AND upload_bytes = 0)`;

type Grouped = Awaited<ReturnType<typeof groupedCounts>>[number];

/** Items without a request end with their batch. */
function toCounts(batch: Counted, found: Grouped | undefined): Omit<BatchCounts, 'begun'> {
  const { total, endedAt } = batch;
  const completed = batch.completedItems ?? found?.completed ?? 0;
  const failed = batch.failedItems ?? found?.failed ?? 0;
  return {
    completed,
    failed,
    cancelled: endedAt ? total - completed - failed : (found?.closed ?? 0),
    billableSeconds: batch.doneSeconds ?? found?.seconds ?? 0,
    endedBytes: batch.doneBytes ?? found?.bytes ?? 0,
    endedUnsized: found?.unsized ?? 0,
  };
}

function countOf(state: string) {
  return sql<number>`count(*) FILTER (WHERE state = ${sql.lit(state)})`;
}

function sumOf(column: string) {
  return sql<number>`coalesce(sum(${sql.ref(column)})
    FILTER (WHERE state IN ('completed', 'failed')), 0)`;
}

/** The count columns of a batch that ends, computed in the statement that ends it. */
export function finalCounts() {
  const of = (value: ReturnType<typeof countOf>) =>
    sql<never>`(SELECT ${value} FROM requests WHERE requests.batch_id = batches.id)`;
  return {
    completedItems: of(countOf('completed')),
    failedItems: of(countOf('failed')),
    doneSeconds: of(sumOf('billableSeconds')),
    doneBytes: of(sumOf('uploadBytes')),
  };
}
