// The first and the last step of a batch.
import { beginBatch } from '../../db/batches.ts';
import { closeBatch } from '../../db/close-batch.ts';
import type { BatchEnd, FinalStatus } from '../../models/contract/batch-status.ts';
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
  dependencies: Pick<ActivityDependencies, 'db' | 'metrics'>,
  { batchId, status }: FinishBatchInput,
): Promise<BatchEnd> {
  return runActivity(() => endBatch(dependencies, batchId, status));
}

/** Ends the batch, and counts the items that fail with it. */
export async function endBatch(
  { db, metrics }: Pick<ActivityDependencies, 'db' | 'metrics'>,
  batchId: string,
  status: FinalStatus,
): Promise<BatchEnd> {
  const { failed, ...end } = await closeBatch(db, batchId, status);
  if (failed.count > 0) metrics.failed({ ...failed, bulk: true });
  return end;
}
