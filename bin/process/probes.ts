// Liveness, readiness and metrics of a process, served to operators' tools on a port of its own.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { cannotListen } from './listen-problem.ts';

export interface Probes {
  readonly registry: Registry;
  /** @returns the reason why the process is not ready; null when it is */
  readonly missing: () => string | null | Promise<string | null>;
}

interface ProbesConfig {
  readonly SVC_METRICS_HOST: string;
  /** Without it no server is started. */
  readonly SVC_METRICS_PORT?: number | undefined;
}

/** A registry with the process's own numbers: CPU, memory, event-loop lag, garbage collection. */
export function createRegistry(process: 'api' | 'batch-worker' | 'stream-worker'): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ process });
  collectDefaultMetrics({ register: registry });
  return registry;
}

/** Answers GET /livez, /readyz and /metrics. @returns null without a port */
export async function serveProbes(
  probes: Probes,
  { SVC_METRICS_HOST: host, SVC_METRICS_PORT: port }: ProbesConfig,
): Promise<Server | null> {
  if (port === undefined) return null;
  const server = createServer((request, response) => {
    void answer(probes, request.url ?? '').then(({ status, type, text }) => {
      response.writeHead(status, { 'Content-Type': type }).end(text);
    });
  });
  server.listen(port, host);
  const variables = ['SVC_METRICS_HOST', 'SVC_METRICS_PORT'] as const;
  await once(server, 'listening').catch(cannotListen({ host, port, variables }));
  return server;
}

interface ProbeAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

async function answer({ registry, missing }: Probes, url: string): Promise<ProbeAnswer> {
  try {
    if (url === '/metrics') {
      return { status: 200, type: registry.contentType, text: await registry.metrics() };
    }
    if (url === '/livez') return json(200, { status: 'ok' });
    if (url !== '/readyz') return json(404, { status: 'not found' });
    const reason = await missing();
    return reason === null
      ? json(200, { status: 'ready' })
      : json(503, { status: 'not ready', reason });
  } catch (error) {
    return json(503, { status: 'failed', reason: error instanceof Error ? error.name : 'unknown' });
  }
}

function json(status: number, body: object): ProbeAnswer {
  return { status, type: 'application/json', text: `${JSON.stringify(body)}\n` };
}
