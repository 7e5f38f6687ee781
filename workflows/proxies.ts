// Activities as the workflows see them, with queues, timeouts and retries in one place.
import { proxyActivities, proxyLocalActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities } from './activities.ts';
import { cancellation, heartbeatTimeout, retry } from './activity-options.ts';
import { inferenceQueue, requestQueue, sourceQueue } from './ids.ts';

export const { openRecording } = proxyActivities<Pick<Activities, 'openRecording'>>({
  startToCloseTimeout: '10m',
  scheduleToCloseTimeout: '30m',
  heartbeatTimeout,
  retry,
  ...cancellation,
});

/**
 * A minute: what lasts longer than the restart of a database or storage waits in the queue. Here
 * the time of the step would not end it: the SDK goes on with attempts that fail at once.
 */
const attemptsWithinTask = 20;

/**
 * The same step within the workflow task, for small uploads: a clip then takes one task in all,
 * which saves a dispatch (docs/adr/0005).
 */
export const { openRecording: openSmallRecording } = proxyLocalActivities<
  Pick<Activities, 'openRecording'>
>({
  // A minute for its slot, and then two decodes.
  startToCloseTimeout: '3m',
  scheduleToCloseTimeout: '30m',
  retry: { ...retry, maximumAttempts: attemptsWithinTask },
  ...cancellation,
});

export const { finishRecording, failRecording } = proxyActivities<
  Pick<Activities, 'finishRecording' | 'failRecording'>
>({
  startToCloseTimeout: '2m',
  scheduleToCloseTimeout: '30m',
  heartbeatTimeout,
  retry,
  ...cancellation,
});

/** While a pass is open none is started: one whose worker is lost must not hold up the next. */
export const { sweep } = proxyActivities<Pick<Activities, 'sweep'>>({
  startToCloseTimeout: '5m',
  heartbeatTimeout,
  retry: { maximumAttempts: 2 },
});

type SourceActivities = Pick<Activities, 'fetchRecording'>;

/** A fetch takes ten minutes at most, and waits for its turn behind others of its organization. */
export function onSourceQueue(): SourceActivities {
  return proxyActivities<SourceActivities>({
    taskQueue: sourceQueue(requestQueue(workflowInfo().taskQueue)),
    startToCloseTimeout: '11m',
    scheduleToCloseTimeout: '24h',
    heartbeatTimeout,
    retry,
    ...cancellation,
  });
}

type InferenceActivities = Pick<Activities, 'analyzeSpan' | 'diarizeRecording'>;

/** Activities of the inference queue, with a summary for the Temporal UI. */
export function onInferenceQueue(summary: string): InferenceActivities {
  return proxyActivities<InferenceActivities>({
    taskQueue: inferenceQueue(workflowInfo().taskQueue),
    startToCloseTimeout: '20m',
    scheduleToCloseTimeout: '1h',
    heartbeatTimeout,
    retry,
    summary,
    ...cancellation,
  });
}
