// A process's Prometheus metrics on a port of their own: they are the operator's, not the callers'.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { collectDefaultMetrics, Registry } from 'prom-client';

interface MetricsAddress {
  readonly host: string;
  /** null: nobody asks. */
  readonly port: number | null;
}

/** What the environment of a process says. */
export function metricsAddress(config: {
  readonly SVC_METRICS_HOST: string;
  readonly SVC_METRICS_PORT?: number | undefined;
}): MetricsAddress {
  return { host: config.SVC_METRICS_HOST, port: config.SVC_METRICS_PORT ?? null };
}

/** A registry with the process's own numbers: CPU, memory, event-loop lag, garbage collection. */
export function createRegistry(process: 'api' | 'batch-worker' | 'stream-worker'): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ process });
  collectDefaultMetrics({ register: registry });
  return registry;
}

/** Answers GET /metrics. @returns null without a port */
export async function serveMetrics(
  registry: Registry,
  { host, port }: MetricsAddress,
): Promise<Server | null> {
  if (port === null) return null;
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    void registry.metrics().then((text) => {
      response.writeHead(200, { 'Content-Type': registry.contentType }).end(text);
    });
  });
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}
