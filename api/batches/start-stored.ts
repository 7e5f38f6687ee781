// Starts the workflow of a batch that was stored.
import type { StoredBatch } from '../../db/batch-tables.ts';
import type { BatchDependencies } from './dependencies.ts';

/** If it cannot be started now, the sweeper starts it within a minute. */
export async function startStored(
  { batches, logger }: Pick<BatchDependencies, 'batches' | 'logger'>,
  { id: batchId, organizationId, total }: StoredBatch,
): Promise<void> {
  await batches
    .start({ organizationId, batchId, total, next: 0 })
    .catch((err: unknown) =>
      logger.warn({ batchId, err }, 'the workflow of the batch could not be started yet'),
    );
}
