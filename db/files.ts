// Recordings that wait to be analysed in bulk: a row per file, the object beside it.
import { sql, type Selectable } from 'kysely';
import type { Db } from './database.ts';
import { newId } from './secrets.ts';
import { olderThan, toPage, type Page, type PageRequest } from './pages.ts';
import { requireWithinQuota } from './storage-quota.ts';
import type { FileTable } from './batch-tables.ts';
import { recordTombstones } from './upload-tombstones.ts';

export type StoredFile = Selectable<FileTable>;

export interface NewFile {
  readonly organizationId: string;
  readonly objectKey: string;
  readonly filename: string;
  /** Of an upload straight to storage that was not looked at yet: what its address allows. */
  readonly audio: FileAudio | PresignedAudio;
  readonly lifetimeSeconds: number;
  readonly idempotencyKey: string | null;
  /** Of the request that made it; compared when its idempotency key comes again. */
  readonly fingerprint: string | null;
}

export interface FileAudio {
  readonly container: string;
  readonly bytes: number;
  /** Hex; null where the bytes did not pass through the service. */
  readonly sha256: string | null;
}

export interface PresignedAudio {
  readonly reservedBytes: number;
  /** Of the address, from now on. */
  readonly addressLifetimeSeconds: number;
}

/**
 * Makes the row; the object outlives its upload from here on.
 * @returns null when its idempotency key is used
 * @throws StorageQuotaExceeded; nothing is made then
 */
export function createFile(db: Db, file: NewFile): Promise<StoredFile | null> {
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .insertInto('files')
      .values({
        id: newId('file-'),
        organizationId: file.organizationId,
        objectKey: file.objectKey,
        filename: file.filename,
        ...audioColumns(file.audio),
        idempotencyKey: file.idempotencyKey,
        fingerprint: file.fingerprint,
        expiresAt: fromNow(file.lifetimeSeconds),
      })
      .onConflict((conflict) => conflict.columns(['organizationId', 'idempotencyKey']).doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!row) return null;
    await requireWithinQuota(trx, file.organizationId);
    await trx
      .insertInto('objects')
      .values({ key: file.objectKey, organizationId: file.organizationId, kind: 'file' })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ kind: 'file' }))
      .execute();
    return row;
  });
}

function audioColumns(audio: NewFile['audio']) {
  if ('container' in audio) {
    const { container, bytes, sha256 } = audio;
    return { container, bytes, sha256 };
  }
  const { reservedBytes, addressLifetimeSeconds } = audio;
  return { reservedBytes, uploadExpiresAt: fromNow(addressLifetimeSeconds) };
}

function fromNow(seconds: number) {
  return sql<Date>`now() + make_interval(secs => ${seconds})`;
}

/**
 * A new address for the same upload, which lives so long from now on.
 * @returns false when the file is gone
 */
export async function extendUpload(db: Db, id: string, lifetimeSeconds: number): Promise<boolean> {
  const row = await db
    .updateTable('files')
    .set({ uploadExpiresAt: fromNow(lifetimeSeconds) })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** What was found in an upload that went straight to storage. */
export async function describeFile(db: Db, id: string, audio: FileAudio): Promise<void> {
  await db.updateTable('files').set(audio).where('id', '=', id).execute();
}

export async function findFile(
  db: Db,
  organizationId: string,
  id: string,
): Promise<StoredFile | null> {
  const [file] = await findFiles(db, organizationId, [id]);
  return file ?? null;
}

/** Those of the ids that the organization has, in any order. */
export async function findFiles(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<readonly StoredFile[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('files')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('id', '=', sql<string>`any(${ids})`)
    .where('expiresAt', '>', sql<Date>`now()`)
    .execute();
}

export async function findFileByKey(
  db: Db,
  organizationId: string,
  idempotencyKey: string,
): Promise<StoredFile | null> {
  const row = await db
    .selectFrom('files')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('idempotencyKey', '=', idempotencyKey)
    .executeTakeFirst();
  return row ?? null;
}

/** Newest first. */
export async function listFiles(
  db: Db,
  organizationId: string,
  { limit, after }: PageRequest,
): Promise<Page<StoredFile>> {
  const rows = await db
    .selectFrom('files')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('expiresAt', '>', sql<Date>`now()`)
    .where(olderThan('files', organizationId, after))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  return toPage(rows, limit);
}

/**
 * Deletes rows of files that no unfinished batch needs; what can still be written to is buried.
 * @returns keys of their objects, which are the caller's to delete
 */
export function deleteFiles(db: Db, ids: readonly string[]): Promise<readonly string[]> {
  return db.transaction().execute(async (trx) => {
    const rows = await deleteRows(trx, ids);
    await recordTombstones(trx, rows);
    return rows.map((row) => row.objectKey);
  });
}

function deleteRows(trx: Db, ids: readonly string[]): Promise<readonly StoredFile[]> {
  return trx
    .deleteFrom('files')
    .where('id', '=', sql<string>`any(${ids})`)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('batchItems')
            .innerJoin('batches', 'batches.id', 'batchItems.batchId')
            .select('batchItems.position')
            .whereRef('batchItems.fileId', '=', 'files.id')
            .where('batches.endedAt', 'is', null),
        ),
      ),
    )
    .returningAll()
    .execute();
}

/** Files past their time. */
export async function expiredFiles(db: Db): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('files')
    .select('id')
    .where('expiresAt', '<', sql<Date>`now()`)
    .orderBy('expiresAt')
    .limit(500)
    .execute();
  return rows.map((row) => row.id);
}
