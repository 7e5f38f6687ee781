// Rows of stored objects: written before the object, deleted after it, swept when they grow old.
import { sql } from 'kysely';
import type { Db } from './database.ts';
import { ownerOf } from './object-keys.ts';
import type { ObjectKind } from './tables.ts';

export interface ObjectRow {
  readonly key: string;
  readonly organizationId: string;
  readonly kind: ObjectKind;
}

/** Announces an object that is about to be written. For `work` the key is a prefix. */
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

/** Drops the rows of objects that are gone. */
export async function deleteObjectRows(db: Db, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await db.deleteFrom('objects').where('key', 'in', keys).execute();
}

/** Rows of a kind that are older than this and belong to no open request's reach any more. */
export async function expiredObjects(
  db: Db,
  { kind, olderThanSeconds }: { readonly kind: ObjectKind; readonly olderThanSeconds: number },
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('objects')
    .select('key')
    .where('kind', '=', kind)
    .where('createdAt', '<', before(olderThanSeconds))
    .orderBy('createdAt')
    .limit(500)
    .execute();
  return rows.map((row) => row.key);
}

/**
 * Those of the keys that no row accounts for. Of organizations that this database knows alone: the
 * bucket may have other users, another deployment of this service among them.
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

/** Oldest uploads that one pass looks at; what is older than any run is swept as expired. */
const scanLimit = 5_000;

/** Uploads of requests that ended so long ago: whoever should have deleted them did not. */
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
