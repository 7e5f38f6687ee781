// Tombstones: keys that a presigned address can still write to although their file is deleted.
import { sql, type Selectable } from 'kysely';
import type { FileTable } from './batch-tables.ts';
import type { Db } from './database.ts';
import { ObjectsKept } from './objects/object-deletion.ts';
import type { ObjectStore } from './objects/object-store.ts';

/** An upload that starts just before its address expires may end this much later. */
const graceSeconds = 3_600;

/**
 * Records a tombstone for each deleted file whose address has not expired, in the same transaction.
 */
export async function recordTombstones(
  trx: Db,
  files: readonly Pick<
    Selectable<FileTable>,
    'objectKey' | 'organizationId' | 'bytes' | 'reservedBytes' | 'uploadExpiresAt'
  >[],
): Promise<void> {
  const presigned = files.filter((file) => file.uploadExpiresAt !== null);
  if (presigned.length === 0) return;
  const grace = sql`make_interval(secs => ${graceSeconds})`;
  await sql`
    INSERT INTO upload_tombstones (key, organization_id, bytes, expires_at)
    SELECT key, organization_id, bytes, upload_expires_at + ${grace}
    FROM unnest(${presigned.map((file) => file.objectKey)}::text[],
      ${presigned.map((file) => file.organizationId)}::text[],
      ${presigned.map((file) => file.reservedBytes ?? file.bytes ?? 0)}::bigint[],
      ${presigned.map((file) => file.uploadExpiresAt)}::timestamptz[])
      AS gone (key, organization_id, bytes, upload_expires_at)
    WHERE upload_expires_at + ${grace} > now()
    ON CONFLICT DO NOTHING`.execute(trx);
}

/** Keys per pass, those swept longest ago first. */
const batchSize = 1_000;

/**
 * Deletes what was written under the tombstones' keys, and the tombstones whose address has
 * expired.
 * @throws ObjectsKept when some of it could not be deleted; their tombstones stay, and count
 */
export async function sweepTombstones({
  db,
  objects,
}: {
  readonly db: Db;
  readonly objects: Pick<ObjectStore, 'delete'>;
}): Promise<void> {
  const tombstones = await db
    .selectFrom('uploadTombstones')
    .select('key')
    .select(sql<boolean>`expires_at < now()`.as('over'))
    .orderBy('sweptAt')
    .limit(batchSize)
    .execute();
  if (tombstones.length === 0) return;
  const keys = tombstones.map(({ key }) => key);
  // First, so that the next pass takes others, whatever becomes of these.
  await db
    .updateTable('uploadTombstones')
    .set({ sweptAt: sql<Date>`now()` })
    .where('key', '=', sql<string>`any(${keys})`)
    .execute();
  const kept = await objects.delete(keys).then(
    () => null,
    (error: unknown) => {
      if (error instanceof ObjectsKept) return error;
      throw error;
    },
  );
  const over = tombstones.flatMap(({ key, over: isOver }) =>
    isOver && !kept?.keys.has(key) ? [key] : [],
  );
  await db
    .deleteFrom('uploadTombstones')
    .where('key', '=', sql<string>`any(${over})`)
    .execute();
  if (kept) throw kept;
}
