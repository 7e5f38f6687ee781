// The project's own processes: the API and the workers, run by this Node.
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import type { PartSpec } from './part.ts';
import { repositoryRoot } from './settings.ts';

export interface ApplicationOptions {
  /** Addresses and credentials of the three servers, and the service's own settings. */
  readonly environment: Readonly<Record<string, string>>;
  readonly logDirectory: string;
}

/** The HTTP process; it answers /livez when it serves. */
export function apiPart({ environment, logDirectory }: ApplicationOptions): PartSpec {
  return {
    ...application({ name: 'API', script: 'bin/api.ts', environment }),
    logPath: join(logDirectory, 'api.log'),
    async probe({ signal }) {
      const response = await fetch(`${baseUrl(environment)}/livez`, { signal });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`/livez answered ${response.status}`);
    },
  };
}

/** The process of workflows and activities; it is ready when it polls its task queue. */
export function batchWorkerPart({ environment, logDirectory }: ApplicationOptions): PartSpec {
  return {
    ...application({ name: 'Batch worker', script: 'bin/worker.ts', environment }),
    logPath: join(logDirectory, 'batch-worker.log'),
    probe: ({ pid }) => requirePoller(environment, pid),
  };
}

/**
 * The process of sockets and prepared sessions; a plain request to its port is answered with 426.
 */
export function streamWorkerPart({ environment, logDirectory }: ApplicationOptions): PartSpec {
  return {
    ...application({ name: 'Stream worker', script: 'bin/stream-worker.ts', environment }),
    logPath: join(logDirectory, 'stream-worker.log'),
    async probe({ signal }) {
      const response = await fetch(`http://127.0.0.1:${environment.SVC_STREAM_PORT}`, { signal });
      await response.arrayBuffer();
      if (response.status !== 426) throw new Error(`it answered ${response.status}`);
    },
  };
}

/** The API's address; a wildcard host is reached over loopback. */
export function baseUrl(environment: Readonly<Record<string, string>>): string {
  const host = environment.SVC_HOST ?? '127.0.0.1';
  const reachable = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${environment.SVC_PORT}`;
}

function application(options: {
  readonly name: string;
  readonly script: string;
  readonly environment: Readonly<Record<string, string>>;
}): Omit<PartSpec, 'logPath' | 'probe'> {
  return {
    name: options.name,
    command: process.execPath,
    args: [join(repositoryRoot, options.script)],
    env: options.environment,
    cwd: repositoryRoot,
    stopSignal: 'SIGTERM',
    // A process that ends is noticed at once; one that is only slow loads models.
    readySeconds: 300,
  };
}

const taskQueueOfWorkflows = 1;

/**
 * The SDK identifies a worker as `<pid>@<host>`, so the poller of an earlier start is not mistaken
 * for it.
 */
async function requirePoller(
  environment: Readonly<Record<string, string>>,
  pid: number,
): Promise<void> {
  const address = environment.TEMPORAL_ADDRESS ?? '';
  const connection = await Connection.connect({ address, connectTimeout: 1000 });
  try {
    const { pollers } = await connection.workflowService.describeTaskQueue({
      namespace: environment.TEMPORAL_NAMESPACE ?? 'default',
      taskQueue: { name: environment.SVC_TASK_QUEUE ?? 'svc' },
      taskQueueType: taskQueueOfWorkflows,
    });
    if (!pollers?.some((poller) => poller.identity?.startsWith(`${pid}@`))) {
      throw new Error('it does not poll its task queue');
    }
  } finally {
    await connection.close();
  }
}
