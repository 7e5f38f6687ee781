// Rows of stored objects: created before the object, deleted after it, and swept when they expire.
import { sql, type RawBuilder } from 'kysely';
import type { Db } from './database.ts';
import { ownerOf, resultKeyInSql, workPrefixInSql } from './object-keys.ts';
import { sweptPageRows } from './pages.ts';
import type { ObjectKind } from './tables.ts';

export interface OwnedKey {
  /** For the kind `work` a prefix, which ends in a slash. */
  readonly key: string;
  readonly organizationId: string;
}

export interface ObjectRow extends OwnedKey {
  readonly kind: ObjectKind;
}

/** Registers an object before it is written. */
export async function registerObject(
  db: Db,
  { key, organizationId, kind }: ObjectRow,
): Promise<void> {
  await db
    .insertInto('objects')
    .values({ key, organizationId, kind })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Deletes the rows of deleted objects. */
export async function deleteObjectRows(db: Db, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await db.deleteFrom('objects').where('key', 'in', keys).execute();
}

interface OldPage {
  readonly olderThanSeconds: number;
  /** `next` of the page before; '' for the first page. */
  readonly after: string;
}

export interface SweptPage {
  readonly objects: readonly OwnedKey[];
  /** Where the next page begins, behind what was left as it is too; '' after the last one. */
  readonly next: string;
}

/** Rows of a kind that are this old; those that an open request needs are kept. */
export function expiredObjects(
  db: Db,
  { kind, ...page }: OldPage & { readonly kind: ObjectKind },
): Promise<SweptPage> {
  return sweptPage(db, oldest(kind, page), sql`FROM old WHERE ${isNotNeeded}`);
}

/** The oldest objects that one page examines. */
const scanLimit = 5_000;

function oldest(kind: ObjectKind, { olderThanSeconds, after }: OldPage) {
  const position = parsePosition(after);
  const isBehind = position
    ? sql`(created_at, key) > (${position.createdAt}::timestamptz, ${position.key})`
    : sql`true`;
  return sql`
    SELECT key, organization_id AS owner, created_at FROM objects
    WHERE kind = ${kind} AND created_at < ${before(olderThanSeconds)} AND ${isBehind}
    ORDER BY created_at, key
    LIMIT ${scanLimit}`;
}

interface ExaminedRow extends OwnedKey {
  /** As text, because dates of JavaScript lack the microseconds. */
  readonly createdAt: string;
  /** false for the last row that was examined where there may be more. */
  readonly isFound: boolean;
}

/** @param found what is selected from the rows of `examined`, which are named `old` */
async function sweptPage(
  db: Db,
  examined: RawBuilder<unknown>,
  found: RawBuilder<unknown>,
): Promise<SweptPage> {
  const columns = sql`key, owner AS organization_id, old.created_at::text AS created_at`;
  const { rows } = await sql<ExaminedRow>`
    WITH old AS MATERIALIZED (${examined}),
      found AS (SELECT ${columns}, true AS is_found ${found}
        ORDER BY old.created_at, key LIMIT ${sweptPageRows}),
      last AS (SELECT ${columns}, false AS is_found FROM old
        WHERE (SELECT count(*) FROM old) = ${scanLimit}
        ORDER BY old.created_at DESC, key DESC LIMIT 1)
    SELECT * FROM found UNION ALL SELECT * FROM last`.execute(db);
  const objects = rows.filter(({ isFound }) => isFound);
  const last = objects.length === sweptPageRows ? objects.at(-1) : rows.find((row) => !row.isFound);
  return {
    objects: objects.map(({ key, organizationId }) => ({ key, organizationId })),
    next: last ? JSON.stringify([last.createdAt, last.key]) : '',
  };
}

/** null for the beginning; what another release has written is none. */
function parsePosition(text: string): { readonly createdAt: string; readonly key: string } | null {
  const [, createdAt, key] = /^\["(\d{4}-[^"]+)","([^"\\]+)"\]$/.exec(text) ?? [];
  return createdAt !== undefined && key !== undefined ? { createdAt, key } : null;
}

/** Of a key in the column `key`: no request that is still open reads or writes it. */
export const isNotNeeded = sql`NOT EXISTS (
  SELECT FROM requests, unnest(ARRAY[upload_key, ${workPrefixInSql}, ${resultKeyInSql}]) AS needed
  WHERE state IN ('admitted', 'running') AND needed = key)`;

/**
 * The keys without a row, limited to organizations of this database, because the bucket may have
 * other users, such as another deployment of this service.
 */
export async function findOrphans(db: Db, keys: readonly string[]): Promise<readonly string[]> {
  const owned = keys.flatMap((key) => {
    const owner = ownerOf(key);
    return owner ? [{ key, ...owner }] : [];
  });
  if (owned.length === 0) return [];
  const [rows, organizations] = await Promise.all([
    db
      .selectFrom('objects')
      .select('key')
      .where('key', '=', sql<string>`any(${owned.map(({ rowKey }) => rowKey)})`)
      .execute(),
    db
      .selectFrom('organizations')
      .select('id')
      .where('id', '=', sql<string>`any(${owned.map((own) => own.organizationId)})`)
      .execute(),
  ]);
  const accounted = new Set(rows.map(({ key }) => key));
  const known = new Set(organizations.map(({ id }) => id));
  return owned
    .filter((own) => known.has(own.organizationId) && !accounted.has(own.rowKey))
    .map(({ key }) => key);
}

/** Uploads of requests that ended this long ago and were not deleted by their API process. */
export function uploadsOfEndedRequests(db: Db, page: OldPage): Promise<SweptPage> {
  const ended = sql`FROM old JOIN requests ON upload_key = key
    WHERE batch_id IS NULL AND upload_key <> '' AND state IN ('completed', 'failed', 'closed')
      AND updated_at < ${before(page.olderThanSeconds)}`;
  return sweptPage(db, oldest('upload', page), ended);
}

function before(seconds: number) {
  return sql<Date>`now() - make_interval(secs => ${seconds})`;
}
