// Rows of stored objects: created before the object, deleted after it, and swept when they expire.
import { sql } from 'kysely';
import type { Db } from './database.ts';
import { ownerOf, resultKeyInSql, workPrefixInSql } from './object-keys.ts';
import type { ObjectKind } from './tables.ts';

export interface ObjectRow {
  readonly key: string;
  readonly organizationId: string;
  readonly kind: ObjectKind;
}

/** Registers an object before it is written. For the kind `work` the key is a prefix. */
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

/** Rows of a kind that are this old; those that an open request needs are kept. */
export async function expiredObjects(
  db: Db,
  { kind, olderThanSeconds }: { readonly kind: ObjectKind; readonly olderThanSeconds: number },
): Promise<readonly string[]> {
  const { rows } = await sql<{ key: string }>`
    WITH old AS MATERIALIZED (
      SELECT key FROM objects
      WHERE kind = ${kind} AND created_at < ${before(olderThanSeconds)}
      ORDER BY created_at
      LIMIT ${scanLimit}
    )
    SELECT key FROM old WHERE ${isNotNeeded} LIMIT 500`.execute(db);
  return rows.map((row) => row.key);
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

/** The oldest objects that one pass examines. */
const scanLimit = 5_000;

/** Uploads of requests that ended this long ago and were not deleted by their API process. */
export async function uploadsOfEndedRequests(
  db: Db,
  { olderThanSeconds }: { readonly olderThanSeconds: number },
): Promise<readonly string[]> {
  const rows = await db
    .with(
      (cte) => cte('old').materialized(),
      (within) =>
        within
          .selectFrom('objects')
          .select('key')
          .where('kind', '=', 'upload')
          .where('createdAt', '<', before(olderThanSeconds))
          .orderBy('createdAt')
          .limit(scanLimit),
    )
    .selectFrom('old')
    .innerJoin('requests', 'requests.uploadKey', 'old.key')
    .select('old.key')
    .where('requests.batchId', 'is', null)
    .where('requests.uploadKey', '<>', '')
    .where('requests.state', 'in', ['completed', 'failed', 'closed'])
    .where('requests.updatedAt', '<', before(olderThanSeconds))
    .limit(500)
    .execute();
  return rows.map((row) => row.key);
}

function before(seconds: number) {
  return sql<Date>`now() - make_interval(secs => ${seconds})`;
}
