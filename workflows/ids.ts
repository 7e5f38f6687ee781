// Workflow ids and task queue names. Operators see them, so whatever a caller chose is hashed.

/** @param requestIdHash `idHash(requestId)` of db/object-keys.ts */
export function requestWorkflowId(organizationId: string, requestIdHash: string): string {
  return `req/${organizationId}/${requestIdHash}`;
}

/**
 * Queue of the inference activities; the task queue itself serves workflows and all other
 * activities.
 */
export function inferenceQueue(taskQueue: string): string {
  return `${taskQueue}-inference`;
}

const bulkSuffix = '-bulk';

/** Queue of batches and of everything that they start; it has an inference queue of its own. */
export function bulkQueue(taskQueue: string): string {
  return taskQueue + bulkSuffix;
}

/** The task queue that a bulk queue belongs to. */
export function requestQueue(bulk: string): string {
  return bulk.endsWith(bulkSuffix) ? bulk.slice(0, -bulkSuffix.length) : bulk;
}

/** Queue of webhook messages, whose receivers may be slow for days. */
export function webhookQueue(taskQueue: string): string {
  return `${taskQueue}-webhooks`;
}

/** Queue of recordings that are fetched from servers of callers, which may be slow. */
export function sourceQueue(taskQueue: string): string {
  return `${taskQueue}-sources`;
}

export function batchWorkflowId(organizationId: string, batchId: string): string {
  return `batch/${organizationId}/${batchId}`;
}

export function webhookWorkflowId(organizationId: string, batchId: string): string {
  return `webhook/${organizationId}/${batchId}`;
}

/** Queue of prepared sessions and of streams. */
export function streamQueue(taskQueue: string): string {
  return `${taskQueue}-streams`;
}

/** Queue of the one stream worker that holds a socket. */
export function hostQueue(taskQueue: string, host: string): string {
  return `${taskQueue}-stream-${host}`;
}

/** @param sessionIdHash `idHash(sessionId)` of db/object-keys.ts */
export function sessionWorkflowId(organizationId: string, sessionIdHash: string): string {
  return `ses/${organizationId}/${sessionIdHash}`;
}

export const sweepWorkflowId = 'sweep';
