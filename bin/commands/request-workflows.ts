// Which workflows a request has in the Temporal UI.
import { idHash } from '../../db/object-keys.ts';
import { batchWorkflowId, requestWorkflowId } from '../../workflows/ids.ts';

interface Named {
  readonly organizationId: string;
  readonly requestId: string;
  /** The batch of an item; null for a request outside batches. */
  readonly batchId: string | null;
}

/**
 * Most items are analysed in groups by the workflow of their batch; the others also have one of
 * their own.
 */
export function workflowsOf({ organizationId, requestId, batchId }: Named) {
  const own = requestWorkflowId(organizationId, idHash(requestId));
  if (batchId === null) return { workflow: own };
  return { workflow: batchWorkflowId(organizationId, batchId), ownWorkflow: own };
}
