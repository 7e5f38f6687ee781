// The statuses of batches and of their items.

/** OpenAI's statuses of a batch. */
export const batchStatuses = [
  'validating',
  'in_progress',
  'finalizing',
  'completed',
  'failed',
  'cancelling',
  'cancelled',
] as const;
export type BatchStatus = (typeof batchStatuses)[number];

/** How a batch can end. */
export const finalStatuses = ['completed', 'failed', 'cancelled'] as const;
export type FinalStatus = (typeof finalStatuses)[number];

export function isFinal(status: BatchStatus): status is FinalStatus {
  return (finalStatuses as readonly BatchStatus[]).includes(status);
}

/** The outcome of closing a batch. */
export interface BatchEnd {
  readonly status: BatchStatus | 'absent';
  /** A webhook is registered for the batch. */
  readonly webhook: boolean;
}

/** OpenAI defines no status for items that wait; `queued` is this service's addition. */
export const itemStatuses = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
export type ItemStatus = (typeof itemStatuses)[number];
