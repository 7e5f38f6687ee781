// HTTP metrics, named by OpenTelemetry's conventions for HTTP servers.
import type { Middleware } from 'koa';
import { Gauge, Histogram, type Registry } from 'prom-client';
import type { RequestState } from './request-state.ts';

/** Seconds: the buckets of the convention, and longer ones for long recordings. */
const buckets = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30, 60, 120, 300,
];

/** Durations by method, route and status; routes are templates, so that no id becomes a label. */
export function httpMetrics(registry: Registry): Middleware<RequestState> {
  const duration = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Duration of HTTP server requests',
    labelNames: ['http_request_method', 'http_route', 'http_response_status_code'],
    buckets,
    registers: [registry],
  });
  const active = new Gauge({
    name: 'http_server_active_requests',
    help: 'Number of active HTTP server requests',
    labelNames: ['http_request_method'],
    registers: [registry],
  });
  return async (ctx, next) => {
    const method = ctx.method;
    const done = duration.startTimer({ http_request_method: method });
    active.inc({ http_request_method: method });
    try {
      await next();
    } finally {
      active.dec({ http_request_method: method });
      const { _matchedRoute: route = 'none' } = ctx as { readonly _matchedRoute?: string };
      done({ http_route: route, http_response_status_code: String(ctx.status) });
    }
  };
}
