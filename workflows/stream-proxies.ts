// Activities of sessions and streams: on the queue of stream work, or on one worker's own.
import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { createHostActivities } from '../activities/streams/hold-stream.ts';
import type { createStreamActivities } from '../activities/streams/stream-activities.ts';

const retry = { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '15s' };

export const { closeSession, endStream } = proxyActivities<
  ReturnType<typeof createStreamActivities>
>({ startToCloseTimeout: '30s', scheduleToCloseTimeout: '1h', retry });

/** A socket lives in one process: nobody else can try again. */
export function onHostQueue(taskQueue: string): ReturnType<typeof createHostActivities> {
  return proxyActivities<ReturnType<typeof createHostActivities>>({
    taskQueue,
    scheduleToStartTimeout: '10s',
    startToCloseTimeout: '1h',
    heartbeatTimeout: '10s',
    retry: { maximumAttempts: 1 },
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  });
}
