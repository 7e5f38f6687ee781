// Activities of batches as the workflow sees them: bookkeeping in its tasks, clips on the queue.
import {
  ActivityCancellationType,
  proxyActivities,
  proxyLocalActivities,
  workflowInfo,
} from '@temporalio/workflow';
import type { createActivities } from '../activities/index.ts';
import { inferenceQueue } from './ids.ts';

type Activities = ReturnType<typeof createActivities>;

const retry = { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '15s' };

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
    heartbeatTimeout: '10s',
    retry,
    summary,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  });
}
