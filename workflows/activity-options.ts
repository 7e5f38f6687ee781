// How activities are tried again and given up, for the proxies of every workflow.
import { ActivityCancellationType } from '@temporalio/workflow';

/** A worker that stops heartbeating is lost: its activity runs again elsewhere. */
export const heartbeatTimeout = '10s';

/**
 * Outages of storage or database end within minutes, and callers should not wait much longer than
 * that; what the caller did wrong is not retried.
 */
export const retry = { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '4s' };

export const cancellation = {
  // The clean-up must not race with an activity that still writes objects.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
};
