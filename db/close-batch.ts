// Ends a batch together with everything of it that is still open.
import { admitItems, endOpenItems } from './batch-items.ts';
import { batchById, cancelBatch, endBatch } from './batches.ts';
import type { Db } from './database.ts';
import { isSuspended } from './account-status.ts';
import type { BatchEnd, FinalStatus } from '../models/contract/batch-status.ts';

/**
 * Called when nothing of the batch may run any more. A batch that is being cancelled ends as
 * cancelled.
 */
export async function closeBatch(db: Db, id: string, status: FinalStatus): Promise<BatchEnd> {
  if (status === 'cancelled') await cancelBatch(db, id);
  const batch = await batchById(db, id);
  const suspended = batch !== null && (await isSuspended(db, batch.organizationId));
  // Items that were never started have no request yet that could hold the reason.
  if (batch && suspended && batch.status !== 'cancelling') {
    await admitItems(db, batch, { from: 0, to: batch.total, ratePerMinute: 0 });
  }
  await endOpenItems(db, id, {
    state: batch?.status === 'cancelling' ? 'closed' : 'failed',
    ...(suspended ? suspensionFailure : unfinished),
  });
  // Items that were already planned end one by one; the batch still counts as failed.
  const cut = suspended && (await hasSuspendedItem(db, id));
  const last = await endBatch(db, id, status === 'completed' && !cut ? 'completed' : 'failed');
  return { status: last ?? 'absent', webhook: (batch?.webhookUrl ?? null) !== null };
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
