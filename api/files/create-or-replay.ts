// A file by its idempotency key: created, or the one that the same request created before.
import type { ParameterizedContext } from 'koa';
import type { Db } from '../../db/database.ts';
import { createFile, findFileByKey, type StoredFile } from '../../db/files.ts';
import { StorageQuotaExceeded } from '../../db/storage-quota.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { replayed } from '../http/idempotency.ts';
import type { RequestState } from '../http/request-state.ts';
import type { OwnedUpload } from '../upload/store-upload.ts';

interface FileByKey {
  readonly file: StoredFile;
  /** False for a file that was there; the object of the new one is then without an owner. */
  readonly isNew: boolean;
}

/** The same of an upload, whose object a new file owns from now on. */
export async function createFileOfUpload(
  db: Db,
  ctx: ParameterizedContext<RequestState>,
  upload: OwnedUpload,
  order: Omit<FileOrder, 'objectKey' | 'audio'>,
): Promise<StoredFile> {
  const { owner, key: objectKey } = upload;
  const whole = { ...order, objectKey, audio: upload };
  const { file, isNew } = await createOrReplayFile(db, ctx, whole).catch((error: unknown) => {
    // A commit whose answer was lost may have made the file; an object without one is swept.
    const isKnown = error instanceof ServiceError || error instanceof StorageQuotaExceeded;
    if (!isKnown) owner.handOver(objectKey);
    throw error;
  });
  if (isNew) owner.handOver(objectKey);
  return file;
}

type FileOrder = Parameters<typeof createFile>[1] & { readonly fingerprint: string };

/** @throws ServiceError idempotency_conflict for a key that was used for another file */
export async function createOrReplayFile(
  db: Db,
  ctx: ParameterizedContext<RequestState>,
  order: FileOrder,
): Promise<FileByKey> {
  const created = await createFile(db, order);
  if (created) return { file: created, isNew: true };
  // Without a key every file is new.
  const before = await findFileByKey(db, order.organizationId, order.idempotencyKey!);
  return { file: replayed(ctx, before, order), isNew: false };
}
