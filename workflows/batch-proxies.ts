// Activities of batches: bookkeeping runs in workflow tasks, clips run on the inference queue.
import { proxyActivities, proxyLocalActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities } from './activities.ts';
import { cancellation, heartbeatTimeout, retry } from './activity-options.ts';
import { inferenceQueue } from './ids.ts';

/** A batch waits for the end of a database outage. */
export const { startBatch, planBatch, finishBatch } = proxyLocalActivities<
  Pick<Activities, 'startBatch' | 'planBatch' | 'finishBatch'>
>({ startToCloseTimeout: '1m', scheduleToCloseTimeout: '24h', retry });

type ClipActivities = Pick<Activities, 'analyzeClips'>;

/** @param summary shown in the Temporal UI */
export function onBatchInferenceQueue(summary: string): ClipActivities {
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
