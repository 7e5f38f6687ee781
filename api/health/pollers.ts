// The workers that poll a task queue.
import type { Connection } from '@temporalio/client';

/** A worker polls at least once a minute; the server lists it for five minutes. */
const maxPollAgeMs = 90_000;

/** Values of temporal.api.enums.v1.TaskQueueType. */
export const taskQueueTypes = { workflow: 1, activity: 2 } as const;

export interface PolledQueue {
  readonly namespace: string;
  readonly taskQueue: string;
  readonly type: keyof typeof taskQueueTypes;
}

/** @returns identities of the workers. @throws when no live worker polls the queue */
export async function requirePollers(
  workflowService: Connection['workflowService'],
  { namespace, taskQueue, type }: PolledQueue,
): Promise<readonly string[]> {
  const { pollers } = await workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: taskQueueTypes[type],
  });
  const live = livePollers(pollers ?? []);
  if (live.length === 0) throw new Error(`no worker polls the task queue "${taskQueue}"`);
  return [...new Set(live.map(({ identity }) => identity ?? 'unnamed'))];
}

interface Poller {
  readonly lastAccessTime?: { readonly seconds?: unknown } | null;
}

/** Those that have polled lately: workers that are gone are listed for minutes. */
export function livePollers<P extends Poller>(pollers: readonly P[]): readonly P[] {
  const since = Date.now() - maxPollAgeMs;
  return pollers.filter(
    ({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1_000 > since,
  );
}
