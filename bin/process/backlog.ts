// The backlog of the service's task queues: number and age of waiting tasks, and pollers.
import type { Connection } from '@temporalio/client';
import type { Registry } from 'prom-client';
import { livePollers, taskQueueTypes } from '../../api/health/pollers.ts';
import {
  bulkQueue,
  inferenceQueue,
  sourceQueue,
  streamQueue,
  webhookQueue,
} from '../../workflows/ids.ts';
import { registerObserved } from './observed-gauges.ts';

export interface QueueBacklog {
  readonly queue: string;
  readonly type: 'activity' | 'workflow';
  /** The server's estimate, without tasks in the sticky queues of workers. */
  readonly tasks: number;
  /** Age of the task that has waited longest. */
  readonly ageSeconds: number;
  readonly pollers: number;
}

export interface BacklogSource {
  readonly workflowService: Connection['workflowService'];
  readonly namespace: string;
  readonly taskQueue: string;
}

/** The server is queried once for the scrapes of this time. */
const memoryMs = 5_000;

/** Every queue of the service; queues without workflows are described for activities only. */
export async function readBacklog(source: BacklogSource): Promise<readonly QueueBacklog[]> {
  const { taskQueue } = source;
  const bulk = bulkQueue(taskQueue);
  const both = [taskQueue, bulk, streamQueue(taskQueue)];
  const inference = [inferenceQueue(taskQueue), inferenceQueue(bulk)];
  const activities = [...inference, webhookQueue(taskQueue), sourceQueue(taskQueue)];
  return Promise.all([
    ...[...both, ...activities].map((queue) => describeQueue(source, queue, 'activity')),
    ...both.map((queue) => describeQueue(source, queue, 'workflow')),
  ]);
}

async function describeQueue(
  { workflowService, namespace }: BacklogSource,
  queue: string,
  type: QueueBacklog['type'],
): Promise<QueueBacklog> {
  const { stats, pollers } = await workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: queue },
    taskQueueType: taskQueueTypes[type],
    reportStats: true,
  });
  const { seconds = 0, nanos = 0 } = stats?.approximateBacklogAge ?? {};
  return {
    queue,
    type,
    tasks: Number(stats?.approximateBacklogCount ?? 0),
    ageSeconds: Number(seconds ?? 0) + Number(nanos ?? 0) / 1e9,
    pollers: livePollers(pollers ?? []).length,
  };
}

/** Adds the backlog to a process's metrics; without Temporal the gauges have no values. */
export function registerBacklog(registry: Registry, source: BacklogSource): void {
  const gauge = (name: string, help: string, value: (queue: QueueBacklog) => number) => ({
    ...{ name, help, labelNames: ['queue', 'type'] },
    values: (queues: readonly QueueBacklog[]) =>
      queues.map((queue) => ({
        labels: { queue: queue.queue, type: queue.type },
        value: value(queue),
      })),
  });
  registerObserved(registry, { read: () => readBacklog(source), memoryMs }, [
    gauge('svc_backlog_tasks', 'Tasks that wait in a task queue', ({ tasks }) => tasks),
    gauge(
      'svc_backlog_age_seconds',
      'Age of the task that has waited longest',
      ({ ageSeconds }) => ageSeconds,
    ),
    gauge('svc_pollers', 'Workers that poll a task queue', ({ pollers }) => pollers),
  ]);
}
