// HTTP metrics, named by OpenTelemetry's conventions for HTTP servers.
import type { Middleware } from 'koa';
import { Gauge, Histogram, type Registry } from 'prom-client';
import { answeredStatus } from './answered-status.ts';
import type { RequestState } from './request-state.ts';

/** Seconds: the buckets of the convention, and longer ones for long recordings. */
const buckets = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30, 60, 120, 300,
];

const durationName = 'http_server_request_duration_seconds';
const durationLabels = ['http_request_method', 'http_route', 'http_response_status_code'] as const;

type Durations = Histogram<(typeof durationLabels)[number]>;

/** One histogram, for requests and for upgrades, which do not pass the application. */
function durationsOf(registry: Registry): Durations {
  const known = registry.getSingleMetric(durationName) as Durations | undefined;
  return (
    known ??
    new Histogram({
      name: durationName,
      help: 'Duration of HTTP server requests; of upgrades until their answer',
      labelNames: durationLabels,
      buckets,
      registers: [registry],
    })
  );
}

/** How an upgrade to a WebSocket was answered, 101 included. */
export interface AnsweredUpgrade {
  /** A path of the service, without ids. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

export function upgradeMetrics(registry: Registry): (upgrade: AnsweredUpgrade) => void {
  const durations = durationsOf(registry);
  return ({ route, status, seconds }) =>
    durations.observe(
      {
        http_request_method: 'GET',
        http_route: route,
        http_response_status_code: String(status),
      },
      seconds,
    );
}

/** Durations by method, route and status; routes are templates, so that no id becomes a label. */
export function httpMetrics(registry: Registry): Middleware<RequestState> {
  const duration = durationsOf(registry);
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
      done({ http_route: route, http_response_status_code: String(answeredStatus(ctx)) });
    }
  };
}
