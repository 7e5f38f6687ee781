// What the service knows of a file's bytes once it has read them.
import { sql } from 'kysely';
import type { UploadedAudio } from '../models/contract/recording-request.ts';
import type { BatchItemTable } from './batch-tables.ts';
import type { Db } from './database.ts';
import type { StoredFile } from './files.ts';

type ContentColumns = Pick<StoredFile, 'objectKey' | 'bytes' | 'sha256'> & {
  readonly container: StoredFile['container'] | BatchItemTable['container'];
};

/** The recording of a file's row, or of an item's; null until it was inspected or fetched. */
export function uploadOf(row: ContentColumns): UploadedAudio | null {
  const { objectKey: key, container, bytes, sha256 } = row;
  if (!container || bytes === null) return null;
  return { key, container, bytes, ...(sha256 && { sha256 }) };
}

/** What an inspection of a presigned upload has found. */
export interface InspectedFile extends Pick<UploadedAudio, 'container' | 'bytes'> {
  readonly id: string;
}

/** Stores what inspections have found, of files that no other has described meanwhile. */
export async function describeFiles(db: Db, found: readonly InspectedFile[]): Promise<void> {
  if (found.length === 0) return;
  const ids = found.map(({ id }) => id);
  // Batches that name the same files at once lock them in one order.
  await sql`
    WITH unseen AS (
      SELECT id FROM files WHERE id = ANY(${ids}::text[]) AND container IS NULL
      ORDER BY id FOR UPDATE)
    UPDATE files SET container = given.container, bytes = given.bytes
    FROM unseen JOIN unnest(${ids}::text[], ${found.map(({ container }) => container)}::text[],
      ${found.map(({ bytes }) => bytes)}::int[]) AS given (id, container, bytes) USING (id)
    WHERE files.id = unseen.id`.execute(db);
}

/** Stores the hash of an item's file that storage received directly, once it has been read. */
export async function learnHash(
  db: Db,
  { id, position }: { readonly id: string; readonly position: number },
  sha256: string,
): Promise<void> {
  await db
    .updateTable('files')
    .from('batchItems')
    .set({ sha256 })
    .where('batchItems.batchId', '=', id)
    .where('batchItems.position', '=', position)
    .whereRef('files.id', '=', 'batchItems.fileId')
    .where('files.sha256', 'is', null)
    .execute();
}
