// Ends a batch together with everything of it that is still open.
import { admitItems, endItemsWithin } from './batch-items.ts';
import { batchById, cancelBatch, endBatch } from './batches.ts';
import type { Db } from './database.ts';
import { isSuspended } from './account-status.ts';
import { isFinal, type BatchEnd, type FinalStatus } from '../models/contract/batch-status.ts';

export interface ClosedBatch extends BatchEnd {
  /** The items that failed with it. */
  readonly failed: { readonly code: string; readonly count: number };
}

/**
 * Called when nothing of the batch may run any more. A batch that is being cancelled ends as
 * cancelled; one that has ended stays as it is. Meanwhile its row is locked: a step of its workflow
 * that goes on although that was terminated, or a cancellation, comes before or after.
 */
export function closeBatch(db: Db, id: string, status: FinalStatus): Promise<ClosedBatch> {
  return db.transaction().execute(async (trx) => {
    await trx
      .selectFrom('batches')
      .select('id')
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst();
    return closeLocked(trx, id, status);
  });
}

async function closeLocked(trx: Db, id: string, status: FinalStatus): Promise<ClosedBatch> {
  if (status === 'cancelled') await cancelBatch(trx, id);
  const batch = await batchById(trx, id);
  if (batch && isFinal(batch.status)) {
    const webhook = batch.webhookUrl !== null;
    return { status: batch.status, webhook, failed: { code: unfinished.code, count: 0 } };
  }
  const suspended = batch !== null && (await isSuspended(trx, batch.organizationId));
  const isCancelled = batch?.status === 'cancelling';
  // Items that were never started have no request yet that could hold the reason.
  if (batch && !isCancelled && (suspended || status === 'failed')) {
    await admitItems(trx, batch, { from: 0, to: batch.total, ratePerMinute: 0 });
  }
  const reason = suspended ? suspensionFailure : unfinished;
  const state = isCancelled ? 'closed' : 'failed';
  const ended = await endItemsWithin(trx, id, { state, ...reason });
  // Items that were already planned end one by one; the batch still counts as failed.
  const cut = suspended && (await hasSuspendedItem(trx, id));
  const last = await endBatch(trx, id, status === 'completed' && !cut ? 'completed' : 'failed');
  return {
    status: last ?? 'absent',
    webhook: (batch?.webhookUrl ?? null) !== null,
    failed: { code: reason.code, count: isCancelled ? 0 : ended },
  };
}

async function hasSuspendedItem(db: Db, batchId: string): Promise<boolean> {
  const row = await db
    .selectFrom('requests')
    .select('requestId')
    .where('batchId', '=', batchId)
    .where('state', '=', 'failed')
    .where('errorCode', '=', suspensionFailure.code)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

const unfinished = {
  code: 'internal_error',
  message: 'The analysis ended before it was finished; send the recording in another batch.',
};

const suspensionFailure = {
  code: 'account_suspended',
  message: 'The account was suspended before the recording was analysed.',
};
