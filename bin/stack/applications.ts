// The project's own processes: the API and the workers, run by this Node.
import { join } from 'node:path';
import type { PartSpec } from './part.ts';
import { repositoryRoot } from '../settings/stack-settings.ts';

export interface ApplicationOptions {
  /** Addresses and credentials of the three servers, and the service's own settings. */
  readonly environment: Readonly<Record<string, string>>;
  readonly logDirectory: string;
}

/** The API lets go of its connections after 25 s, and then closes what it has open. */
const answersSeconds = 30;
/** A stream worker has 20 s for its streams and 5 for their reports, and then closes the rest. */
const farewellSeconds = 30;

/** The HTTP process; it answers /livez when it serves. */
export function apiPart({ environment, logDirectory }: ApplicationOptions): PartSpec {
  return {
    ...application({ name: 'API', script: 'bin/api.ts', environment }),
    logPath: join(logDirectory, 'api.log'),
    stopSeconds: Number(environment.SVC_DRAIN_SECONDS ?? 0) + answersSeconds,
    async probe({ signal }) {
      const response = await fetch(`${baseUrl(environment)}/livez`, { signal });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`/livez answered ${response.status}`);
    },
  };
}

/** The process of workflows and activities; it is ready when it polls its task queues. */
export function batchWorkerPart({ environment, logDirectory }: ApplicationOptions): PartSpec {
  return {
    ...application({ name: 'Batch worker', script: 'bin/worker.ts', environment }),
    logPath: join(logDirectory, 'batch-worker.log'),
    probe: ({ signal }) => requireReady(environment, signal),
  };
}

/** The process of sockets and prepared sessions. */
export function streamWorkerPart({ environment, logDirectory }: ApplicationOptions): PartSpec {
  return {
    ...application({ name: 'Stream worker', script: 'bin/stream-worker.ts', environment }),
    logPath: join(logDirectory, 'stream-worker.log'),
    stopSeconds: farewellSeconds,
    probe: ({ signal }) => requireReady(environment, signal),
  };
}

/** The API's address; a wildcard host is reached over loopback. */
export function baseUrl(environment: Readonly<Record<string, string>>): string {
  return urlOf(environment.SVC_HOST, environment.SVC_PORT);
}

function urlOf(host = '127.0.0.1', port = ''): string {
  const reachable = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

/**
 * MiB of each half of the young generation, of each thread; by default 16, which the start of a
 * process fills and none of them needs afterwards (docs/adr/0047).
 */
export const semiSpaceFlag = '--max-semi-space-size=4';
/** Beside Temporal's threads each of Node's would have a heap of its own. */
export const mallocArenas = '2';

function application(options: {
  readonly name: string;
  readonly script: string;
  readonly environment: Readonly<Record<string, string>>;
}): Omit<PartSpec, 'logPath' | 'probe'> {
  return {
    name: options.name,
    command: process.execPath,
    args: [semiSpaceFlag, join(repositoryRoot, options.script)],
    env: { MALLOC_ARENA_MAX: mallocArenas, ...options.environment },
    cwd: repositoryRoot,
    stopSignal: 'SIGTERM',
    // A process that exits is noticed at once; loading models may take this long.
    readySeconds: 300,
  };
}

/** Queries the readiness probe of the process. */
async function requireReady(
  environment: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  const host = process.env.SVC_METRICS_HOST || undefined;
  const response = await fetch(`${urlOf(host, environment.SVC_METRICS_PORT)}/readyz`, { signal });
  const text = await response.text();
  if (!response.ok) throw new Error(text.trim());
}
