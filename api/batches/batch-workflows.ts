// Batches in Temporal: started once, and cancelled repeatedly until they end.
import { callWithin } from '../runs/call-temporal.ts';
import {
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type Client,
} from '@temporalio/client';
import { batchWorkflowId, bulkQueue } from '../../workflows/ids.ts';
import { searchAttributes } from '../../workflows/search-attributes.ts';
import type { BatchWorkflows } from '../../workflows/types.ts';

const timeoutMs = 5_000;
/** Lower priority than anything that a caller waits for. */
const bulkPriority = 3;

export function createBatchWorkflows(client: Client, taskQueue: string): BatchWorkflows {
  const bounded = <T>(work: () => Promise<T>): Promise<T> => callWithin(client, timeoutMs, work);
  return {
    async start(batch) {
      const { organizationId, batchId, total } = batch;
      try {
        await bounded(() =>
          client.workflow.start('runBatch', {
            workflowId: batchWorkflowId(organizationId, batchId),
            taskQueue: bulkQueue(taskQueue),
            args: [batch],
            workflowIdReusePolicy: 'REJECT_DUPLICATE',
            staticSummary: `batch of ${total} recordings`,
            staticDetails: `Organization ${organizationId}.`,
            typedSearchAttributes: searchAttributes({ organizationId, batchId }),
            priority: { priorityKey: bulkPriority, fairnessKey: organizationId },
          }),
        );
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      }
    },
    async cancel(workflowId) {
      try {
        await bounded(() => client.workflow.getHandle(workflowId).cancel());
        return true;
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return false;
        throw error;
      }
    },
  };
}
