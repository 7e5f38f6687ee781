// Files whose recordings the service fetches from their addresses.
import { sql } from 'kysely';
import { shownSource } from '../models/contract/source.ts';
import type { Db } from './database.ts';
import type { FileAudio, StoredFile } from './files.ts';
import { requireWithinQuota } from './storage-quota.ts';

/**
 * The file that an item of a batch names: fetched or not, expired or not, and so without its
 * organization; null when it was deleted.
 */
export async function findItemFile(db: Db, id: string): Promise<StoredFile | null> {
  const row = await db.selectFrom('files').selectAll().where('id', '=', id).executeTakeFirst();
  return row ?? null;
}

export interface FetchedFile {
  readonly id: string;
  readonly organizationId: string;
  /** Of the object that was written, which the file owns from now on. */
  readonly objectKey: string;
  readonly audio: FileAudio;
}

/**
 * Gives a file its recording, and every item that names it, so that it is fetched once.
 * @returns false when it was deleted, or another worker was faster; then the object is not its own
 * @throws StorageQuotaExceeded
 */
export function storeFetched(db: Db, fetched: FetchedFile): Promise<boolean> {
  const { id, organizationId, objectKey, audio } = fetched;
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('files')
      .select(['sourceUrl', 'objectKey as placeholder'])
      .where('id', '=', id)
      .where('container', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (!row) return false;
    const sourceUrl = shownSource(row.sourceUrl ?? '');
    await trx
      .updateTable('files')
      .set({ objectKey, sourceUrl, ...audio })
      .where('id', '=', id)
      .execute();
    await requireWithinQuota(trx, organizationId);
    await trx.deleteFrom('objects').where('key', '=', row.placeholder).execute();
    await trx
      .insertInto('objects')
      .values({ key: objectKey, organizationId, kind: 'file' })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ kind: 'file' }))
      .execute();
    await describeItems(trx, fetched);
    return true;
  });
}

/** Sizes of open batches are sums over their items; the estimates of their ends use them. */
async function describeItems(trx: Db, { id, objectKey, audio }: FetchedFile): Promise<void> {
  const { container, bytes } = audio;
  await sql`
    WITH items AS (
      UPDATE batch_items SET object_key = ${objectKey}, container = ${container}, bytes = ${bytes}
      WHERE file_id = ${id} AND container = ''
      RETURNING batch_id, position),
    described AS (
      UPDATE requests SET upload_bytes = ${bytes}::int
      FROM items
      WHERE requests.batch_id = items.batch_id
        AND requests.request_id = items.batch_id || ' ' || items.position)
    UPDATE batches SET bytes = batches.bytes + ${bytes}::bigint * counted.items,
      unsized_items = greatest(0, unsized_items - counted.items)
    FROM (SELECT batch_id, count(*) AS items FROM items GROUP BY batch_id) AS counted
    WHERE batches.id = counted.batch_id`.execute(trx);
}
