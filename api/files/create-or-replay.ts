// A file by its idempotency key: created, or the one that the same request created before.
import type { ParameterizedContext } from 'koa';
import type { Db } from '../../db/database.ts';
import { createFile, findFileByKey, type StoredFile } from '../../db/files.ts';
import { replayed } from '../http/idempotency.ts';
import type { RequestState } from '../http/request-state.ts';

interface FileByKey {
  readonly file: StoredFile;
  /** False for a file that was there; the object of the new one is then without an owner. */
  readonly isNew: boolean;
}

/** @throws ServiceError idempotency_conflict for a key that was used for another file */
export async function createOrReplayFile(
  db: Db,
  ctx: ParameterizedContext<RequestState>,
  order: Parameters<typeof createFile>[1] & { readonly fingerprint: string },
): Promise<FileByKey> {
  const created = await createFile(db, order);
  if (created) return { file: created, isNew: true };
  // Without a key every file is new.
  const before = await findFileByKey(db, order.organizationId, order.idempotencyKey!);
  return { file: replayed(ctx, before, order.fingerprint), isNew: false };
}
