// Recordings that wait for bulk analysis: a row per file, and its object beside it.
import { sql, type Selectable } from 'kysely';
import type { Container } from '../models/contract/containers.ts';
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
  /** The stored recording, what the URL of a presigned upload allows, or where to fetch it. */
  readonly audio: FileAudio | PresignedAudio | SourcedAudio;
  readonly lifetimeSeconds: number;
  readonly idempotencyKey: string | null;
  /** Fingerprint of the request that created it, compared when its idempotency key is repeated. */
  readonly fingerprint: string | null;
}

export interface FileAudio {
  readonly container: Container;
  readonly bytes: number;
  /** Hexadecimal; null until the service has read bytes that storage received directly. */
  readonly sha256: string | null;
}

export interface PresignedAudio {
  readonly reservedBytes: number;
  /** Lifetime of the address, from now on. */
  readonly addressLifetimeSeconds: number;
}

/** A recording that is fetched when it is needed. */
export interface SourcedAudio {
  readonly sourceUrl: string;
}

/**
 * Creates the row; from now on the object outlives its upload.
 * @returns null when the idempotency key is already in use
 * @throws StorageQuotaExceeded; then nothing is created
 */
export function createFile(db: Db, file: NewFile): Promise<StoredFile | null> {
  return db.transaction().execute(async (trx) => {
    await releaseExpiredKey(trx, file);
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

/** A file that a batch still needs after it has expired gives up its idempotency key. */
async function releaseExpiredKey(
  trx: Db,
  { organizationId, idempotencyKey }: NewFile,
): Promise<void> {
  if (idempotencyKey === null) return;
  await trx
    .updateTable('files')
    .set({ idempotencyKey: null })
    .where('organizationId', '=', organizationId)
    .where('idempotencyKey', '=', idempotencyKey)
    .where('expiresAt', '<=', sql<Date>`now()`)
    .execute();
}

function audioColumns(audio: NewFile['audio']) {
  if ('container' in audio) {
    const { container, bytes, sha256 } = audio;
    return { container, bytes, sha256 };
  }
  if ('sourceUrl' in audio) return { sourceUrl: audio.sourceUrl };
  const { reservedBytes, addressLifetimeSeconds } = audio;
  return { reservedBytes, uploadExpiresAt: fromNow(addressLifetimeSeconds) };
}

function fromNow(seconds: number) {
  return sql<Date>`now() + make_interval(secs => ${seconds})`;
}

/**
 * Extends the presigned address of the same upload.
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

export async function findFile(
  db: Db,
  organizationId: string,
  id: string,
): Promise<StoredFile | null> {
  const [file] = await findFiles(db, organizationId, [id]);
  return file ?? null;
}

/** The organization's files among the ids, in any order. */
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
    .where('expiresAt', '>', sql<Date>`now()`)
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
    .where(olderThan(after))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  return toPage(rows, limit);
}

/**
 * Deletes the rows of files that no unfinished batch needs; a tombstone records each key that can
 * still be written to.
 * @returns keys of their objects, which the caller has to delete
 */
export function deleteFiles(db: Db, ids: readonly string[]): Promise<readonly string[]> {
  return db.transaction().execute(async (trx) => {
    await lockToDelete(trx, ids);
    const rows = await deleteRows(trx, ids);
    await recordTombstones(trx, rows);
    const keys = rows.map((row) => row.objectKey);
    // Without its file the object is swept, should the caller be lost before it has deleted it.
    await trx
      .updateTable('objects')
      .set({ kind: 'upload' })
      .where('key', '=', sql<string>`any(${keys})`)
      .execute();
    return keys;
  });
}

/**
 * A batch that is being created holds its files, so that the next statement sees it. In one order,
 * as all lock them: two that delete the same files do not wait for each other.
 */
async function lockToDelete(trx: Db, ids: readonly string[]): Promise<void> {
  await trx
    .selectFrom('files')
    .select('id')
    .where('id', '=', sql<string>`any(${ids})`)
    .orderBy('id')
    .forUpdate()
    .execute();
}

function deleteRows(trx: Db, ids: readonly string[]): Promise<readonly StoredFile[]> {
  return trx
    .deleteFrom('files')
    .where('id', '=', sql<string>`any(${ids})`)
    .where(isUnneeded)
    .returningAll()
    .execute();
}

/**
 * No unfinished batch needs the file. By the index of items, file by file, which OFFSET 0 says to
 * PostgreSQL: it would join the files with all items of open batches, of which it expects few.
 */
export const isUnneeded = sql<boolean>`NOT EXISTS (SELECT FROM batch_items
  JOIN batches ON batches.id = batch_items.batch_id
  WHERE batch_items.file_id = files.id AND batches.ended_at IS NULL OFFSET 0)`;

/** Files that have expired and that no unfinished batch needs: others would hold these up. */
export async function expiredFiles(db: Db): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('files')
    .select('id')
    .where('expiresAt', '<', sql<Date>`now()`)
    .where(isUnneeded)
    .orderBy('expiresAt')
    .limit(500)
    .execute();
  return rows.map((row) => row.id);
}
