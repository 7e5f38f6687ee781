// Whether each part that inference needs answers: in parallel, bounded, remembered for a moment.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { pingDatabase, type Db } from '../db/database.ts';
import type { ObjectStore } from '../db/object-store.ts';
import { inferenceQueue } from '../workflows/ids.ts';

export type CheckName = 'database' | 'object_storage' | 'temporal' | 'workers' | 'models';

/** `ok`, or what is wrong. */
export type Checks = Readonly<Record<CheckName, string>>;

export interface Readiness {
  /** At most a second old while the service is polled; never takes longer than the check limit. */
  check(): Promise<Checks>;
}

export interface ReadinessOptions {
  readonly db: Db;
  readonly objects: ObjectStore;
  readonly client: Client;
  readonly namespace: string;
  readonly taskQueue: string;
}

const checkLimitMs = 2_000;
const memoryMs = 1_000;
/** A worker polls again at least once a minute. */
const pollerAgeMs = 90_000;

export function createReadiness(options: ReadinessOptions): Readiness {
  let latest: { readonly at: number; readonly checks: Promise<Checks> } | null = null;
  return {
    check: () => {
      const now = performance.now();
      if (!latest || now - latest.at > memoryMs) latest = { at: now, checks: runChecks(options) };
      return latest.checks;
    },
  };
}

async function runChecks(options: ReadinessOptions): Promise<Checks> {
  const { db, objects, client, namespace, taskQueue } = options;
  const [database, objectStorage, temporal, workers, models] = await Promise.all([
    outcome(pingDatabase(db)),
    outcome(objects.ping()),
    outcome(client.workflowService.describeNamespace({ namespace })),
    outcome(assertPolled(client, namespace, taskQueue)),
    // Workers poll the inference queue only once every model is loaded and verified.
    outcome(assertPolled(client, namespace, inferenceQueue(taskQueue))),
  ]);
  return { database, object_storage: objectStorage, temporal, workers, models };
}

async function assertPolled(client: Client, namespace: string, name: string): Promise<void> {
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name },
    // temporal.api.enums.v1.TaskQueueType: activities.
    taskQueueType: 2,
  });
  const since = Date.now() - pollerAgeMs;
  const seen = pollers?.some(
    ({ lastAccessTime }) => Number(lastAccessTime?.seconds) * 1_000 > since,
  );
  if (!seen) throw new Error(`no worker polls ${name}`);
}

/** The reason stays short: bodies carry no addresses or internals. */
async function outcome(check: Promise<unknown>): Promise<string> {
  const limit = new AbortController();
  const late = sleep(checkLimitMs, 'timeout', { signal: limit.signal }).catch(() => 'timeout');
  const done = check.then(
    () => 'ok',
    () => 'failed',
  );
  const result = await Promise.race([done, late]);
  limit.abort();
  return result;
}
