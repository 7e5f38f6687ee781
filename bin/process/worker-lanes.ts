// The Temporal workers of a batch worker: two per lane, and those of streams, webhooks and sources.
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { createActivities } from '../../activities/index.ts';
import { createStreamActivities } from '../../activities/stream-activities.ts';
import {
  bulkQueue,
  inferenceQueue,
  sourceQueue,
  streamQueue,
  webhookQueue,
} from '../../workflows/ids.ts';
import { temporalOf } from '../settings/temporal-config.ts';
import { workerConnectionOptions } from './temporal-connection.ts';
import type { Tracing } from './tracing.ts';
import type { WorkerConfig } from '../settings/worker-config.ts';
import { workflowBundle as bundleOf } from './workflow-bundle.ts';
import {
  openBulkRecordings,
  openRecordingsOf,
  sourceFetchers,
  spansOf,
  webhookSenders,
} from './worker-capacity.ts';

/**
 * Activity slots beyond the fair slots: an activity must leave the queue before the fair semaphore
 * can prefer it to a flood, and finishing a recording needs no fair slot.
 */
const spareSlots = 4;
/**
 * Concurrent workflow tasks, which include the opening of small uploads: far more than one
 * organization may start.
 */
const openRequests = 400;
/** A cancelled activity learns of it with its next heartbeat. */
const heartbeatThrottle = '1s';
/** Long enough for a chunk; another worker takes over what is longer. */
const shutdownGraceTime = '20s';

/** Interactive and bulk work; bulk never takes a slot of the interactive lane. */
interface Lanes {
  readonly dependencies: ActivityDependencies;
  readonly bulk: ActivityDependencies;
  readonly tracing: Tracing;
}

export async function createWorkers(
  config: WorkerConfig,
  { dependencies, bulk, tracing }: Lanes,
): Promise<readonly Worker[]> {
  const connection = await NativeConnection.connect(workerConnectionOptions(temporalOf(config)));
  const plugins = [...tracing.plugins];
  const workflowBundle = await bundleOf(config, tracing);
  const common = {
    connection,
    plugins,
    namespace: config.TEMPORAL_NAMESPACE,
    shutdownGraceTime,
    maxHeartbeatThrottleInterval: heartbeatThrottle,
    defaultHeartbeatThrottleInterval: heartbeatThrottle,
    // The sticky queue of a lost worker delays its workflows by this time.
    stickyQueueScheduleToStartTimeout: '1s',
  } as const;
  // Also here, so that the loss of the stream worker leaves no session or stream open.
  const streams = () =>
    Worker.create({
      ...common,
      taskQueue: streamQueue(config.SVC_TASK_QUEUE),
      workflowBundle,
      activities: createStreamActivities(dependencies),
    });
  const { postWebhook } = createActivities(dependencies);
  const { fetchRecording } = createActivities(bulk);
  const sources = () =>
    Worker.create({
      ...common,
      taskQueue: sourceQueue(config.SVC_TASK_QUEUE),
      activities: { fetchRecording },
      maxConcurrentActivityTaskExecutions: 2 * sourceFetchers,
    });
  const webhooks = () =>
    Worker.create({
      ...common,
      taskQueue: webhookQueue(config.SVC_TASK_QUEUE),
      activities: { postWebhook },
      maxConcurrentActivityTaskExecutions: 2 * webhookSenders,
    });
  const queue = config.SVC_TASK_QUEUE;
  const forCallers = async () => [
    ...(await createLane(common, queue, {
      dependencies,
      opened: openRecordingsOf(dependencies.pool),
      workflowBundle,
    })),
    await streams(),
  ];
  const forBulk = async () => [
    ...(await createLane(common, bulkQueue(queue), {
      dependencies: bulk,
      opened: openBulkRecordings,
      workflowBundle,
    })),
    await webhooks(),
    await sources(),
  ];
  const { SVC_WORKER_LANES: lanes } = config;
  const workers = await Promise.all([
    lanes === 'bulk' ? [] : forCallers(),
    lanes === 'callers' ? [] : forBulk(),
  ]);
  return workers.flat();
}

interface Lane {
  readonly workflowBundle: NonNullable<WorkerOptions['workflowBundle']>;
  readonly dependencies: ActivityDependencies;
  /** Recordings that are open at once. */
  readonly opened: number;
}

/** The worker of workflows and of every activity but inference, and that of inference. */
function createLane(
  common: Omit<WorkerOptions, 'taskQueue'>,
  taskQueue: string,
  { dependencies, opened, workflowBundle }: Lane,
): Promise<readonly Worker[]> {
  const activities = createActivities(dependencies);
  const { analyzeSpan, diarizeRecording, analyzeClips } = activities;
  return Promise.all([
    Worker.create({
      ...common,
      taskQueue,
      workflowBundle,
      activities,
      maxConcurrentActivityTaskExecutions: opened + spareSlots,
      maxConcurrentWorkflowTaskExecutions: openRequests,
      maxConcurrentLocalActivityExecutions: openRequests,
    }),
    Worker.create({
      ...common,
      taskQueue: inferenceQueue(taskQueue),
      activities: { analyzeSpan, diarizeRecording, analyzeClips },
      maxConcurrentActivityTaskExecutions: spansOf(dependencies.pool) + spareSlots,
    }),
  ]);
}

/** @returns which task queues are not polled; null when all are */
export function missingWorkers(workers: readonly Worker[]): string | null {
  if (workers.length === 0) return 'starting: models are being loaded';
  const idle = workers.filter((worker) => worker.getState() !== 'RUNNING');
  if (idle.length === 0) return null;
  return `not polling: ${idle.map(({ options }) => options.taskQueue).join(', ')}`;
}
