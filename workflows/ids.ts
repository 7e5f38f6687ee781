// Workflow ids and task queues: plain text that operators see, so what a caller chose is hashed.

/** @param requestHash `requestHash(requestId)` of db/object-keys.ts */
export function requestWorkflowId(organizationId: string, requestHash: string): string {
  return `req/${organizationId}/${requestHash}`;
}

/** Queue of `transcribeSpan`; the task queue itself serves workflows and every other activity. */
export function inferenceQueue(taskQueue: string): string {
  return `${taskQueue}-inference`;
}

export const sweepWorkflowId = 'sweep';
