// Rows of stored objects: written before the object, deleted after it, swept when they grow old.
import { sql } from 'kysely';
import type { Db } from './database.ts';
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
    .values({ key, organization_id: organizationId, kind })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Drops the rows of objects that are gone. */
export async function forgetObjects(db: Db, keys: readonly string[]): Promise<void> {
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
    .where('created_at', '<', sql<Date>`now() - make_interval(secs => ${olderThanSeconds})`)
    .limit(500)
    .execute();
  return rows.map((row) => row.key);
}

/** Uploads of requests that ended so long ago: whoever should have deleted them did not. */
export async function uploadsOfEndedRequests(
  db: Db,
  { olderThanSeconds }: { readonly olderThanSeconds: number },
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('objects')
    .innerJoin('requests', 'requests.upload_key', 'objects.key')
    .select('objects.key')
    .where('objects.kind', '=', 'upload')
    .where('requests.state', 'in', ['completed', 'failed', 'closed'])
    .where(
      'requests.updated_at',
      '<',
      sql<Date>`now() - make_interval(secs => ${olderThanSeconds})`,
    )
    .limit(500)
    .execute();
  return rows.map((row) => row.key);
}
