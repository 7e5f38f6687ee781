// Batches in Temporal: started once, cancelled repeatedly until they end, and their webhooks.
import { callWithin } from '../runs/call-temporal.ts';
import {
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type Client,
  type WorkflowStartOptions,
} from '@temporalio/client';
import { batchWorkflowId, bulkQueue, webhookWorkflowId } from '../../workflows/ids.ts';
import { searchAttributes } from '../../workflows/search-attributes.ts';
import type { BatchWorkflows } from '../../workflows/batch-workflows.ts';

const timeoutMs = 5_000;
/** The end of a batch is a few statements. */
const webhookDelay = '5s';
/** Lower priority than anything that a caller waits for. */
const bulkPriority = 3;

export function createBatchWorkflows(client: Client, taskQueue: string): BatchWorkflows {
  const bounded = <T>(work: () => Promise<T>): Promise<T> => callWithin(client, timeoutMs, work);
  const startOnce = async (name: string, options: WorkflowStartOptions): Promise<void> => {
    try {
      const once = { ...options, workflowIdReusePolicy: 'REJECT_DUPLICATE' } as const;
      await bounded(() => client.workflow.start(name, once));
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  };
  return {
    async start(batch) {
      const { organizationId, batchId, total } = batch;
      await startOnce('runBatch', {
        workflowId: batchWorkflowId(organizationId, batchId),
        taskQueue: bulkQueue(taskQueue),
        args: [batch],
        staticSummary: `batch of ${total} recordings`,
        staticDetails: `Organization ${organizationId}.`,
        typedSearchAttributes: searchAttributes({ organizationId, batchId }),
        priority: { priorityKey: bulkPriority, fairnessKey: organizationId },
      });
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
    async deliverWebhook(webhook) {
      const { organizationId, batchId } = webhook;
      await startOnce('deliverWebhook', {
        workflowId: webhookWorkflowId(organizationId, batchId),
        taskQueue,
        args: [webhook],
        startDelay: webhookDelay,
        staticSummary: `webhook of ${batchId}`,
        typedSearchAttributes: searchAttributes({ organizationId, batchId }),
        // What a batch starts itself has the batch's.
        priority: { priorityKey: bulkPriority, fairnessKey: organizationId },
      });
    },
  };
}
