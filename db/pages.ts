// Pages of lists, newest first: the id of the last row is the cursor of the next page.
import { sql, type RawBuilder } from 'kysely';

export interface PageRequest {
  readonly limit: number;
  /** Id of the last row of the previous page; null for the first page. */
  readonly after: string | null;
}

export interface Page<T> {
  readonly rows: readonly T[];
  readonly more: boolean;
}

/** Condition for the rows after a cursor; none match a cursor of another organization. */
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
