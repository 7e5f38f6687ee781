// What the processes ask of the workflows of batches.
import type { RunBatchInput, WebhookInput } from './types.ts';

export interface BatchWorkflows {
  /** Has no effect when the workflow already runs. @throws when Temporal cannot be reached */
  start(batch: RunBatchInput): Promise<void>;
  /** @returns false when the workflow never started */
  cancel(workflowId: string): Promise<boolean>;
  /** Tells the receiver of a batch that is about to end; once, however often it is called. */
  deliverWebhook(webhook: WebhookInput): Promise<void>;
}
