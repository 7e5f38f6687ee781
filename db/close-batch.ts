// The end of a batch: what is still open ends with it.
import { endOpenItems } from './batch-items.ts';
import { batchById, cancelBatch, endBatch } from './batches.ts';
import type { Db } from './database.ts';
import type { BatchStatus } from './tables.ts';

export interface ClosedBatch {
  readonly status: BatchStatus | 'absent';
  /** Somebody wants to be told. */
  readonly webhook: boolean;
}

const ended = 'The analysis ended before it was finished; send the recording in another batch.';

/** Nothing of the batch may run any more. One that is being cancelled ends as cancelled. */
export async function closeBatch(
  db: Db,
  id: string,
  status: 'completed' | 'failed' | 'cancelled',
): Promise<ClosedBatch> {
  if (status === 'cancelled') await cancelBatch(db, id);
  const batch = await batchById(db, id);
  const state = batch?.status === 'cancelling' ? 'closed' : 'failed';
  await endOpenItems(db, id, { state, message: ended });
  const last = await endBatch(db, id, status === 'cancelled' ? 'failed' : status);
  return { status: last ?? 'absent', webhook: (batch?.webhook_url ?? null) !== null };
}
