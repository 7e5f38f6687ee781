// Activities of batches as the workflow sees them: bookkeeping in its tasks, clips on the queue.
import { proxyActivities, proxyLocalActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities } from './activities.ts';
import { cancellation, heartbeatTimeout, retry } from './activity-options.ts';
import { inferenceQueue } from './ids.ts';

/** An outage of the database may last: a batch waits for it. */
export const { startBatch, planBatch, finishBatch } = proxyLocalActivities<
  Pick<Activities, 'startBatch' | 'planBatch' | 'finishBatch'>
>({ startToCloseTimeout: '1m', scheduleToCloseTimeout: '24h', retry });

type ClipActivities = Pick<Activities, 'analyzeClips'>;

/** @param summary what the UI shows */
export function onInferenceQueue(summary: string): ClipActivities {
  return proxyActivities<ClipActivities>({
    taskQueue: inferenceQueue(workflowInfo().taskQueue),
    startToCloseTimeout: '20m',
    scheduleToCloseTimeout: '24h',
    heartbeatTimeout,
    retry,
    summary,
    ...cancellation,
  });
}
