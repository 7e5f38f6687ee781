// Pages of lists, newest first: the id of the last row is the cursor of the next page. The sweeper
// reads pages in the order of their keys.
import { sql, type RawBuilder } from 'kysely';
import type { Db } from './database.ts';

export interface PageRequest {
  readonly limit: number;
  /** Of the last row of the previous page; null for the first page. */
  readonly after: Position | null;
}

/** Where a row is in its list, also once the row is deleted. */
export interface Position {
  readonly id: string;
  /** As text, because dates of JavaScript lack the microseconds. */
  readonly createdAt: string;
}

export interface Page<T> {
  readonly rows: readonly T[];
  readonly more: boolean;
}

/** null for an id that no row has, or one of another organization. */
export async function findPageStart(
  db: Db,
  table: 'files' | 'batches',
  organizationId: string,
  id: string,
): Promise<Position | null> {
  const row = await db
    .selectFrom(table)
    .select(['id', sql<string>`created_at::text`.as('createdAt')])
    .where('id', '=', id)
    .where('organizationId', '=', organizationId)
    .executeTakeFirst();
  return row ?? null;
}

/** Condition for the rows after a position. */
export function olderThan(after: Position | null): RawBuilder<boolean> {
  if (after === null) return sql<boolean>`true`;
  return sql<boolean>`(created_at, id) < (${after.createdAt}::timestamptz, ${after.id})`;
}

/** Rows that the sweeper reads at a time. */
export const sweptPageRows = 500;

/** A page of rows of an age for the sweeper. */
export interface OlderAfter {
  readonly olderThanSeconds: number;
  /** The id of the last row of the page before; '' for the first page. */
  readonly after: string;
}

/** Every row, so that those which stay as they are hold up no others. */
export async function* eachRow<T>(
  readAfter: (after: T | null) => Promise<readonly T[]>,
): AsyncGenerator<T> {
  for (let last: T | null = null; ;) {
    const page: readonly T[] = await readAfter(last);
    if (page.length === 0) return;
    yield* page;
    last = page.at(-1)!;
  }
}

/** @param rows one more than `limit` when there are more */
export function toPage<T>(rows: readonly T[], limit: number): Page<T> {
  return { rows: rows.slice(0, limit), more: rows.length > limit };
}
