// Reconciles batches with their workflows: starts or cancels a workflow, ends a batch without one,
// deletes expired batches.
import { log } from '@temporalio/activity';
import { discardBatch, discardFiles, expiredBatches } from '../../db/batch-deletion.ts';
import { openBatches, type OpenBatch } from '../../db/batches.ts';
import { expiredFiles } from '../../db/files.ts';
import { batchWorkflowId } from '../../workflows/ids.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import type { SweepPass } from '../sweep-pass.ts';
import { shareOfPassMs, walkRows } from '../walk-rows.ts';
import { endBatch } from './end-batch.ts';

/**
 * A batch's row and its workflow are created milliseconds apart, and so it is with a cancellation.
 */
const staleSeconds = 60;

export async function reconcileBatches(
  dependencies: ActivityDependencies,
  pass: SweepPass,
): Promise<void> {
  const { db } = dependencies;
  await walkRows(db, {
    position: 'open batches',
    readAfter: (after) => openBatches(db, { olderThanSeconds: staleSeconds, after }),
    work: (batch) => pass.attempt(`batch ${batch.id}`, () => reconcileBatch(dependencies, batch)),
  });
}

export async function deleteExpiredBatches(
  dependencies: ActivityDependencies,
  pass: SweepPass,
): Promise<void> {
  const { db } = dependencies;
  await walkRows(db, {
    position: 'expired batches',
    readAfter: (after) => expiredBatches(db, after),
    work: (batch) =>
      pass.attempt(`expired batch ${batch.id}`, () => discardBatch(dependencies, batch)),
  });
}

/** Files that nothing needs any more; a service that is given a million a day deletes as many. */
export async function deleteExpiredFiles(dependencies: ActivityDependencies): Promise<void> {
  const endMs = performance.now() + shareOfPassMs;
  for (let deleted = 1; deleted > 0 && performance.now() < endMs;) {
    deleted = await discardFiles(dependencies, await expiredFiles(dependencies.db));
  }
}

async function reconcileBatch(dependencies: ActivityDependencies, batch: OpenBatch): Promise<void> {
  const { id: batchId, organizationId, total, status, webhookUrl } = batch;
  const { batches } = dependencies;
  const workflowId = batchWorkflowId(organizationId, batchId);
  const state = await dependencies.workflowState(workflowId);
  if (state === 'running') {
    if (status === 'cancelling') await batches.cancel(workflowId);
  } else if (state === 'absent' && status !== 'cancelling') {
    await batches.start({ organizationId, batchId, total, next: 0 });
    log.warn('the sweeper started a batch', { organizationId, batchId });
  } else {
    // The workflow was terminated or could not continue. The delivery comes first, because no later
    // pass would see a batch that has ended.
    if (webhookUrl !== null) await batches.deliverWebhook({ organizationId, batchId });
    const { status: end } = await endBatch(dependencies, batchId, 'failed');
    const level = end === 'failed' ? 'error' : 'warn';
    log[level]('the sweeper ended a batch', { organizationId, batchId, workflow: state, end });
  }
}
