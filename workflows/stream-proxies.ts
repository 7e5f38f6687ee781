// Activities of sessions and streams: on the queue of stream work, or on one worker's own.
import { proxyActivities } from '@temporalio/workflow';
import type { HostActivities, StreamActivities } from './activities.ts';
import { cancellation, heartbeatTimeout, retry } from './activity-options.ts';

export const { closeSession, endStream } = proxyActivities<StreamActivities>({
  startToCloseTimeout: '30s',
  scheduleToCloseTimeout: '1h',
  retry,
});

/** A socket belongs to one process, so no other worker can retry. */
export function onHostQueue(taskQueue: string): HostActivities {
  return proxyActivities<HostActivities>({
    taskQueue,
    scheduleToStartTimeout: '10s',
    startToCloseTimeout: '1h',
    heartbeatTimeout,
    retry: { maximumAttempts: 1 },
    ...cancellation,
  });
}
