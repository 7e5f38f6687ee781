// Batches whose workflow is not as their row says: begun, cancelled again or ended; and old ones.
import { discardBatch, discardFiles, expiredBatches } from '../../db/batch-deletion.ts';
import { openBatches, type OpenBatch } from '../../db/batches.ts';
import { closeBatch } from '../../db/close-batch.ts';
import { expiredFiles } from '../../db/files.ts';
import { batchWorkflowId } from '../../workflows/ids.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/** Between a batch's row and its workflow lie milliseconds, and so for a cancellation. */
const staleSeconds = 60;

export async function reconcileBatches(dependencies: ActivityDependencies): Promise<void> {
  const open = await openBatches(dependencies.db, { olderThanSeconds: staleSeconds });
  for (const batch of open) await reconcileBatch(dependencies, batch);
  for (const batch of await expiredBatches(dependencies.db)) {
    await discardBatch(dependencies, batch);
  }
  await discardFiles(dependencies, await expiredFiles(dependencies.db));
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
    // Somebody has terminated it, or it could not go on.
    await closeBatch(dependencies.db, batchId, 'failed');
  }
}
