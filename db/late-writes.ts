// Keys that may still be written to although nothing needs them: a PUT without an answer, which the
// network delivers later, and an activity that goes on although another worker has its work.
import { sql } from 'kysely';
import type { Db } from './database.ts';
import { ownerOf } from './object-keys.ts';
import { ObjectsKept } from './objects/object-deletion.ts';
import { isNotNeeded } from './object-rows.ts';
import {
  openObjectStore,
  type ObjectStore,
  type ObjectStoreOptions,
} from './objects/object-store.ts';

/** TCP gives up after a quarter of an hour, and a worker that is cut off long before. */
const lifetimeSeconds = 3_600;

/** @param key of the row of objects: of one object, or a prefix */
export async function recordLateWrite(
  db: Db,
  { key, organizationId }: { readonly key: string; readonly organizationId: string },
): Promise<void> {
  const expiresAt = sql<Date>`now() + make_interval(secs => ${lifetimeSeconds})`;
  await db
    .insertInto('lateWrites')
    .values({ key, organizationId, expiresAt })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ expiresAt }))
    .execute();
}

/** Records that a PUT of this object may still arrive. */
async function recordUnansweredPut(db: Db, key: string): Promise<void> {
  const owner = ownerOf(key);
  if (owner) await recordLateWrite(db, { ...owner, key: owner.rowKey });
}

/** A store whose unanswered PUTs are recorded. */
export function openRecordedStore(db: Db, options: ObjectStoreOptions): ObjectStore {
  return openObjectStore({ ...options, onUnanswered: (key) => recordUnansweredPut(db, key) });
}

/** Keys per pass, those swept longest ago first. */
const batchSize = 1_000;

interface LateWriteStores {
  readonly db: Db;
  readonly objects: Pick<ObjectStore, 'delete' | 'deletePrefix'>;
}

/**
 * Deletes what was written under the keys that are free, and forgets those that have expired.
 * @throws AggregateError when some of it could not be deleted, which is kept; the others are gone
 */
export async function sweepLateWrites(
  { db, objects }: LateWriteStores,
  signal: AbortSignal,
): Promise<void> {
  const found = await db
    .selectFrom('lateWrites')
    .select('key')
    .select(sql<boolean>`expires_at < now()`.as('over'))
    .orderBy('sweptAt')
    .limit(batchSize)
    .execute();
  if (found.length === 0) return;
  const keys = found.map(({ key }) => key);
  // First, so that the next pass takes others, whatever becomes of these.
  await db
    .updateTable('lateWrites')
    .set({ sweptAt: sql<Date>`now()` })
    .where('key', '=', sql<string>`any(${keys})`)
    .execute();
  const free = await freeKeys(db, keys);
  const failed = new Map<string, unknown>();
  const single = free.filter((key) => !key.endsWith('/'));
  await objects.delete(single).catch((error: unknown) => {
    const isNamed = error instanceof ObjectsKept && error.keys.size > 0;
    for (const key of isNamed ? error.keys : single) failed.set(key, error);
  });
  for (const prefix of free.filter((key) => key.endsWith('/'))) {
    signal.throwIfAborted();
    // An id that a rejection left unused may have been sent again since, as the same attempt.
    if ((await freeKeys(db, [prefix])).length === 0) continue;
    await objects.deletePrefix(prefix).catch((error: unknown) => failed.set(prefix, error));
  }
  const over = found.filter((each) => each.over && !failed.has(each.key)).map(({ key }) => key);
  await db
    .deleteFrom('lateWrites')
    .where('key', '=', sql<string>`any(${over})`)
    .execute();
  if (failed.size > 0)
    throw new AggregateError(new Set(failed.values()), 'late writes were not deleted');
}

/**
 * A key with a row is in use, or expires with it; without one it is in use while the attempt that
 * writes it is open, which registers it before it ends.
 */
async function freeKeys(db: Db, keys: readonly string[]): Promise<readonly string[]> {
  const { rows } = await sql<{ key: string }>`
    SELECT key FROM unnest(${keys}::text[]) AS late (key)
    WHERE NOT EXISTS (SELECT FROM objects WHERE objects.key = late.key)
      AND ${isNotNeeded}`.execute(db);
  return rows.map(({ key }) => key);
}
