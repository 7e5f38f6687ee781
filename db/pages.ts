// Pages of lists, newest first: the id of the last row is the cursor of the next page.
import { sql, type RawBuilder } from 'kysely';

export interface PageRequest {
  readonly limit: number;
  /** Id of the last row of the page before; null for the first page. */
  readonly after: string | null;
}

export interface Page<T> {
  readonly rows: readonly T[];
  readonly more: boolean;
}

/** Condition for the rows behind a cursor; behind one that is not the organization's are none. */
export function olderThan(
  table: 'files' | 'batches',
  organizationId: string,
  after: string | null,
): RawBuilder<boolean> {
  if (after === null) return sql<boolean>`true`;
  const cursor = sql`SELECT c.created_at, c.id FROM ${sql.table(table)} AS c
    WHERE c.id = ${after} AND c.organization_id = ${organizationId}`;
  return sql<boolean>`(created_at, id) < (${cursor})`;
}

/** @param rows one more than `limit` when there are more */
export function toPage<T>(rows: readonly T[], limit: number): Page<T> {
  return { rows: rows.slice(0, limit), more: rows.length > limit };
}
