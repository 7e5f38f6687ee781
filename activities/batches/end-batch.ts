// The first and the last step of a batch.
import { beginBatch } from '../../db/batches.ts';
import { closeBatch } from '../../db/close-batch.ts';
import type { BatchEnd } from '../../models/contract/batch-status.ts';
import type { FinishBatchInput } from '../../workflows/types.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { runActivity } from '../run-activity.ts';

/** @returns true when there is work to do */
export function startBatch(
  { db }: Pick<ActivityDependencies, 'db'>,
  batchId: string,
): Promise<boolean> {
  return runActivity(async () => (await beginBatch(db, batchId)) === 'in_progress');
}

/** Called when no item of the batch runs any more. */
export function finishBatch(
  { db }: Pick<ActivityDependencies, 'db'>,
  { batchId, status }: FinishBatchInput,
): Promise<BatchEnd> {
  return runActivity(() => closeBatch(db, batchId, status));
}
