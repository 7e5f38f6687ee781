// Creates a batch with its items in one transaction.
import { sql } from 'kysely';
import type { ResolvedItem } from '../models/contract/batch-item.ts';
import { isRemote } from '../models/contract/recording-request.ts';
import { maxLifetimeSeconds } from '../models/contract/stored-file.ts';
import { isKept, toBatch } from './batches.ts';
import type { Db } from './database.ts';
import { batchPrefix } from './object-keys.ts';
import { registerObject } from './object-rows.ts';
import { newId } from './secrets.ts';
import { requireWithinQuota } from './storage-quota.ts';
import type { BatchTable, StoredBatch } from './batch-tables.ts';

export interface NewBatch {
  readonly organizationId: string;
  readonly keyId: string;
  readonly task: BatchTable['task'];
  readonly model: BatchTable['model'];
  readonly options: object;
  readonly metadata: Readonly<Record<string, string>>;
  readonly webhookUrl: string | null;
  readonly items: readonly ResolvedItem[];
  readonly lifetimeSeconds: number;
  readonly idempotencyKey: string | null;
  readonly fingerprint: string;
}

/** A file was deleted after it was looked up. */
export class FilesGone extends Error {
  override readonly name = 'FilesGone';
}

/**
 * @returns null when the idempotency key is already in use
 * @throws StorageQuotaExceeded, FilesGone
 */
export function createBatch(db: Db, batch: NewBatch): Promise<StoredBatch | null> {
  const { organizationId, items } = batch;
  return db.transaction().execute(async (trx) => {
    await holdFiles(trx, items);
    await releaseExpiredKey(trx, batch);
    const row = await trx
      .insertInto('batches')
      .values({
        id: newId('batch_'),
        organizationId,
        keyId: batch.keyId,
        task: batch.task,
        model: batch.model,
        options: JSON.stringify(batch.options),
        metadata: JSON.stringify(batch.metadata),
        webhookUrl: batch.webhookUrl,
        total: items.length,
        bytes: items.reduce((sum, { upload }) => sum + (isRemote(upload) ? 0 : upload.bytes), 0),
        unsizedItems: items.filter(({ upload }) => isRemote(upload)).length,
        idempotencyKey: batch.idempotencyKey,
        fingerprint: batch.fingerprint,
        expiresAt: sql<Date>`now() + make_interval(secs => ${batch.lifetimeSeconds})`,
      })
      .onConflict((conflict) => conflict.columns(['organizationId', 'idempotencyKey']).doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!row) return null;
    await requireWithinQuota(trx, organizationId);
    for (let at = 0; at < items.length; at += rowsAtOnce) {
      const some = items.slice(at, at + rowsAtOnce);
      await insertSources(trx, organizationId, some);
      await insertItems(trx, row.id, { from: at, items: some });
    }
    if (items.some(({ source }) => source)) await requireWithinQuota(trx, organizationId);
    const key = batchPrefix(organizationId, row.id);
    await registerObject(trx, { key, organizationId, kind: 'batch' });
    return toBatch(row);
  });
}

/**
 * Until the batch is there for everybody who deletes its files. They come first, and by id, as
 * others lock them; what the batch itself adds nobody else knows.
 */
async function holdFiles(trx: Db, items: readonly ResolvedItem[]): Promise<void> {
  const ids = new Set(items.flatMap(({ fileId, source }) => (source ? [] : [fileId])));
  const held = sql`SELECT FROM files WHERE id = ANY(${[...ids]}::text[]) ORDER BY id FOR KEY SHARE`;
  const { rows } = await sql<{ held: number }>`
    SELECT count(*) AS held FROM (${held}) AS files`.execute(trx);
  if (rows[0]!.held < ids.size) throw new FilesGone('a file of the batch was deleted meanwhile');
}

/** A batch that waits for its deletion gives up its idempotency key. */
async function releaseExpiredKey(
  trx: Db,
  { organizationId, idempotencyKey }: NewBatch,
): Promise<void> {
  if (idempotencyKey === null) return;
  await trx
    .updateTable('batches')
    .set({ idempotencyKey: null })
    .where('organizationId', '=', organizationId)
    .where('idempotencyKey', '=', idempotencyKey)
    .where((eb) => eb.not(isKept))
    .execute();
}

/** Rows of one statement: ten thousand at once would block the process for a tenth of a second. */
const rowsAtOnce = 250;

/** The files of recordings that are fetched for their items. */
async function insertSources(
  trx: Db,
  organizationId: string,
  items: readonly ResolvedItem[],
): Promise<void> {
  const sources = items.flatMap(({ fileId, upload, source }) =>
    source ? [{ fileId, key: upload.key, ...source }] : [],
  );
  if (sources.length === 0) return;
  const column = (value: (source: (typeof sources)[number]) => string): readonly string[] =>
    sources.map(value);
  await sql`
    INSERT INTO files (id, organization_id, object_key, filename, source_url, expires_at)
    SELECT id, ${organizationId}, object_key, filename, source_url,
      now() + make_interval(secs => ${maxLifetimeSeconds})
    FROM unnest(${column(({ fileId }) => fileId)}::text[], ${column(({ key }) => key)}::text[],
      ${column(({ filename }) => filename)}::text[], ${column(({ url }) => url)}::text[])
      AS given (id, object_key, filename, source_url)`.execute(trx);
}

/** Inserts by columns in one statement. @param from position of the first item */
async function insertItems(
  trx: Db,
  batchId: string,
  { from, items }: { readonly from: number; readonly items: readonly ResolvedItem[] },
): Promise<void> {
  const column = <T>(value: (item: ResolvedItem) => T): readonly T[] => items.map(value);
  const given = sql`unnest(${column((item) => item.customId)}::text[],
    ${column((item) => JSON.stringify(item.metadata))}::text[],
    ${column((item) => item.fileId)}::text[], ${column((item) => item.upload.key)}::text[],
    ${column(({ upload }) => (isRemote(upload) ? '' : upload.container))}::text[],
    ${column(({ upload }) => (isRemote(upload) ? 0 : upload.bytes))}::int[])`;
  const columns = sql`custom_id, metadata, file_id, object_key, container, bytes`;
  const query = sql`INSERT INTO batch_items (batch_id, position, ${columns})
    SELECT ${batchId}, ${from}::int + ordinality - 1, ${columns}
    FROM ${given} WITH ORDINALITY AS given (${columns})`;
  await query.execute(trx);
}
