// Retries and timeouts that all activity proxies share.
import { ActivityCancellationType } from '@temporalio/workflow';

/** A worker that stops heartbeating is lost, and its activity runs again elsewhere. */
export const heartbeatTimeout = '10s';

/**
 * Outages of storage or database usually end within minutes, and a caller should not wait much
 * longer. Client errors are not retried.
 */
export const retry = { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '4s' };

export const cancellation = {
  // The clean-up must not race with an activity that still writes objects.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
};
