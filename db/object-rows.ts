// Rows of stored objects: created before the object, deleted after it, and swept when they expire.
import { sql } from 'kysely';
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
  /** Key of an object: those before it are left out. All are examined when it has no row. */
  readonly after: string;
}

/** Rows of a kind that are this old; those that an open request needs are kept. */
export async function expiredObjects(
  db: Db,
  { kind, ...page }: OldPage & { readonly kind: ObjectKind },
): Promise<readonly OwnedKey[]> {
  const { rows } = await sql<OwnedKey>`
    WITH old AS MATERIALIZED (${oldest(kind, page)})
    SELECT key, owner AS organization_id FROM old WHERE ${isNotNeeded}
    ORDER BY old.created_at, key LIMIT ${sweptPageRows}`.execute(db);
  return rows;
}

/** The oldest objects that one pass examines. */
const scanLimit = 5_000;

function oldest(kind: ObjectKind, { olderThanSeconds, after }: OldPage) {
  return sql`
    SELECT key, organization_id AS owner, created_at FROM objects
    WHERE kind = ${kind} AND created_at < ${before(olderThanSeconds)} AND coalesce(
      (created_at, key) > (SELECT created_at, key FROM objects WHERE key = ${after}), true)
    ORDER BY created_at, key
    LIMIT ${scanLimit}`;
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
export async function uploadsOfEndedRequests(db: Db, page: OldPage): Promise<readonly OwnedKey[]> {
  const { rows } = await sql<OwnedKey>`
    WITH old AS MATERIALIZED (${oldest('upload', page)})
    SELECT key, owner AS organization_id FROM old JOIN requests ON upload_key = key
    WHERE batch_id IS NULL AND upload_key <> '' AND state IN ('completed', 'failed', 'closed')
      AND updated_at < ${before(page.olderThanSeconds)}
    ORDER BY old.created_at, key LIMIT ${sweptPageRows}`.execute(db);
  return rows;
}

function before(seconds: number) {
  return sql<Date>`now() - make_interval(secs => ${seconds})`;
}
