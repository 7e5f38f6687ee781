// Reconciles batches with their workflows: starts or cancels a workflow, ends a batch without one,
// deletes expired batches.
import { discardBatch, discardFiles, expiredBatches } from '../../db/batch-deletion.ts';
import { openBatches, type OpenBatch } from '../../db/batches.ts';
import { closeBatch } from '../../db/close-batch.ts';
import { expiredFiles } from '../../db/files.ts';
import { eachRow } from '../../db/pages.ts';
import { batchWorkflowId } from '../../workflows/ids.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/**
 * A batch's row and its workflow are created milliseconds apart, and so it is with a cancellation.
 */
const staleSeconds = 60;

export async function reconcileBatches(
  dependencies: ActivityDependencies,
  signal: AbortSignal,
): Promise<void> {
  const { db } = dependencies;
  const readAfter = (after: OpenBatch | null) =>
    openBatches(db, { olderThanSeconds: staleSeconds, after });
  for await (const batch of eachRow(readAfter)) {
    signal.throwIfAborted();
    await reconcileBatch(dependencies, batch);
  }
  for (const batch of await expiredBatches(db)) {
    signal.throwIfAborted();
    await discardBatch(dependencies, batch);
  }
  await discardFiles(dependencies, await expiredFiles(db));
}

async function reconcileBatch(dependencies: ActivityDependencies, batch: OpenBatch): Promise<void> {
  const { id: batchId, organizationId, total, status } = batch;
  const workflowId = batchWorkflowId(organizationId, batchId);
  const state = await dependencies.workflowState(workflowId);
  if (state === 'running') {
    if (status === 'cancelling') await dependencies.batches.cancel(workflowId);
  } else if (state === 'absent' && status !== 'cancelling') {
    await dependencies.batches.start({ organizationId, batchId, total, next: 0 });
  } else {
    // The workflow was terminated or could not continue.
    await closeBatch(dependencies.db, batchId, 'failed');
  }
}
