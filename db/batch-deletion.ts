// Deletes batches and files: objects first and rows last, so that a crash leaves no object without
// a row.
import { sql } from 'kysely';
import type { BatchRow } from './batch-tables.ts';
import { batchById } from './batches.ts';
import type { Db } from './database.ts';
import { deleteFiles } from './files.ts';
import { batchPrefix } from './object-keys.ts';
import type { ObjectStore } from './objects/object-store.ts';
import { deleteObjectRows } from './object-rows.ts';
import { sweptPageRows } from './pages.ts';

interface Stores {
  readonly db: Db;
  readonly objects: ObjectStore;
}

/** Their organization's uploads wait for a statement that deletes them. */
const filesAtOnce = 500;

type EndableBatch = Pick<BatchRow, 'id' | 'organizationId' | 'endedAt'>;

/**
 * Deletes results, audio and rows; another request may do the same.
 * @returns false when the batch has not ended
 */
export async function discardBatch(
  { db, objects }: Stores,
  { id, organizationId, endedAt }: EndableBatch,
): Promise<boolean> {
  if (!endedAt) return false;
  const prefix = batchPrefix(organizationId, id);
  await objects.deletePrefix(prefix);
  // Before the batch, so that what fails on the way can be asked for again.
  const files = await filesOf(db, id);
  for (let from = 0; from < files.length; from += filesAtOnce) {
    await discardFiles({ db, objects }, files.slice(from, from + filesAtOnce));
  }
  if (!(await deleteBatch(db, id))) return false;
  await deleteObjectRows(db, [prefix]);
  return true;
}

/** Deletes the files that no unfinished batch needs. @returns how many were deleted */
export async function discardFiles(
  { db, objects }: Stores,
  ids: readonly string[],
): Promise<number> {
  const keys = await deleteFiles(db, ids);
  await objects.delete(keys);
  await deleteObjectRows(db, keys);
  return keys.length;
}

/** A page of batches that have expired and ended. @param after id before the page; '' for none */
export async function expiredBatches(db: Db, after: string): Promise<readonly EndableBatch[]> {
  return db
    .selectFrom('batches')
    .select(['id', 'organizationId', 'endedAt'])
    .where('expiresAt', '<', sql<Date>`now()`)
    .where('endedAt', 'is not', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(sweptPageRows)
    .execute();
}

/** The files that a batch names, in one order. */
async function filesOf(db: Db, batchId: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('batchItems')
    .select('fileId')
    .distinct()
    .where('batchId', '=', batchId)
    .orderBy('fileId')
    .execute();
  return rows.map(({ fileId }) => fileId);
}

/**
 * Deletes an ended batch with its items; its requests and the ledger stay.
 * @returns false when it has not ended; one that is gone is deleted
 */
async function deleteBatch(db: Db, id: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom('batches')
    .where('id', '=', id)
    .where('endedAt', 'is not', null)
    .returning('id')
    .executeTakeFirst();
  return deleted !== undefined || (await batchById(db, id)) === null;
}
