// Storage quotas of organizations: bytes and number of files, and items of batches.
import { maxKeptBatchItems, planRows, type StorageQuota } from '../models/contract/plans.ts';
import type { Db } from './database.ts';

export interface StorageUse extends StorageQuota {
  readonly batchItems: number;
}

export interface Storage {
  readonly quota: StorageQuota;
  readonly used: StorageUse;
}

/** The organization would exceed its quota; the caller's answer is 402 `storage_quota_exceeded`. */
export class StorageQuotaExceeded extends Error {
  override readonly name = 'StorageQuotaExceeded';
}

export async function storageOf(db: Db, organizationId: string): Promise<Storage> {
  const row = await db
    .selectFrom('organizations')
    .leftJoin('storageTotals as totals', 'totals.organizationId', 'organizations.id')
    .select(['plan', 'storageBytes', 'storageFiles'])
    .select(['totals.bytes', 'totals.files', 'totals.batchItems'])
    .where('organizations.id', '=', organizationId)
    .executeTakeFirstOrThrow();
  const plan = planRows[row.plan].storage;
  return {
    quota: {
      bytes: row.storageBytes ?? plan.bytes,
      files: row.storageFiles ?? plan.files,
    },
    used: {
      bytes: row.bytes ?? 0,
      files: row.files ?? 0,
      batchItems: row.batchItems ?? 0,
    },
  };
}

/**
 * The check before a body is read, for a file of at least this many bytes.
 * @throws StorageQuotaExceeded
 */
export async function requireCapacity(
  db: Db,
  organizationId: string,
  bytes: number,
): Promise<void> {
  const { quota, used } = await storageOf(db, organizationId);
  requireWithin({ quota, used: { ...used, bytes: used.bytes + bytes, files: used.files + 1 } });
}

/**
 * The decisive check, made after the rows are written and in their transaction. The row of totals
 * is locked by then, so of two concurrent additions the second counts the first.
 * @throws StorageQuotaExceeded
 */
export async function requireWithinQuota(trx: Db, organizationId: string): Promise<void> {
  requireWithin(await storageOf(trx, organizationId));
}

function requireWithin({ quota, used }: Storage): void {
  if (used.bytes > quota.bytes) {
    throw exceeded(`${quota.bytes} bytes of files`, `would be ${used.bytes}`);
  }
  if (used.files > quota.files) throw exceeded(`${quota.files} files`, `would be ${used.files}`);
  if (used.batchItems > maxKeptBatchItems) {
    throw exceeded(`${maxKeptBatchItems} items of batches`, `would be ${used.batchItems}`);
  }
}

function exceeded(allowed: string, received: string): StorageQuotaExceeded {
  const remedy = 'delete files and batches that are not needed any more';
  return new StorageQuotaExceeded(`The account may keep ${allowed}; it ${received}: ${remedy}.`);
}
