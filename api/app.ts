// The Koa application: middleware in order, then the routes of each endpoint family.
import Router from '@koa/router';
import Koa from 'koa';
import { ServiceError } from '../models/contract/errors.ts';
import { httpMetrics } from './http/metrics.ts';
import { traceRequests } from './http/tracing.ts';
import { clientConnection } from './http/forwarded-headers.ts';
import { accessLog } from './http/middleware/access-log.ts';
import { errorEnvelope, logLateError } from './http/middleware/error-envelope.ts';
import { httpRules, safeHeaders } from './http/middleware/http-rules.ts';
import { limitConcurrency } from './http/middleware/limit-concurrency.ts';
import { requestId } from './http/middleware/request-id.ts';
import { speechRoutes, type SpeechDependencies } from './speech/routes.ts';
import { batchRoutes } from './batches/routes.ts';
import { humeRoutes } from './hume-compatible/routes.ts';
import { modelAccessRoutes } from './catalog/access.ts';
import { catalogRoutes, type CatalogDependencies } from './catalog/routes.ts';
import { consoleRoutes } from './console/routes.ts';
import { fileRoutes } from './files/routes.ts';
import { healthRoutes } from './health/routes.ts';
import { openAiRoutes } from './openai-compatible/routes.ts';
import { proficiencyRoutes } from './proficiency/routes.ts';
import { referenceRoutes, type ReferenceDependencies } from './reference/routes.ts';
import { resonance2Routes } from './resonance-2/routes.ts';
import { sessionRoutes, type SessionDependencies } from './sessions/routes.ts';
import { streamRoutes } from './streams/routes.ts';
import { syntheticSpeechRoutes } from './synthetic-speech/routes.ts';
import { webhookRoutes, type WebhookDependencies } from './webhooks/routes.ts';
import type { RequestState } from './http/request-state.ts';
import type { BatchDependencies } from './batches/dependencies.ts';
import type { Registry } from 'prom-client';
import type { KeyLeases } from '../db/key-leases.ts';

/** The dependencies of all endpoints, passed in by `bin/api.ts` and by tests. */
export interface AppDependencies
  extends
    BatchDependencies,
    CatalogDependencies,
    ReferenceDependencies,
    SessionDependencies,
    SpeechDependencies,
    WebhookDependencies {
  /** Leases of keys. */
  readonly leases: KeyLeases;
  readonly metrics: Registry;
}

export function createApp(dependencies: AppDependencies): Koa<RequestState> {
  const app = new Koa<RequestState>();
  const router = new Router<RequestState>({ sensitive: true });
  const concurrency = limitConcurrency(dependencies.leases, dependencies.bodies.uploads);
  healthRoutes(router, dependencies);
  catalogRoutes(router, dependencies);
  speechRoutes(router, dependencies, concurrency);
  resonance2Routes(router, dependencies, concurrency);
  proficiencyRoutes(router, dependencies, concurrency);
  modelAccessRoutes(router, dependencies);
  syntheticSpeechRoutes(router, dependencies, concurrency);
  sessionRoutes(router, dependencies);
  openAiRoutes(router, dependencies, concurrency);
  humeRoutes(router, dependencies, concurrency);
  fileRoutes(router, dependencies, concurrency);
  batchRoutes(router, dependencies);
  webhookRoutes(router, dependencies);
  consoleRoutes(router, dependencies);
  streamRoutes(router);
  referenceRoutes(router, dependencies);

  app.on('error', logLateError(dependencies.logger));
  app.use((ctx, next) => {
    ctx.state.connection = clientConnection(ctx.req, dependencies.trustedProxies);
    return next();
  });
  app.use(traceRequests());
  app.use(httpMetrics(dependencies.metrics));
  app.use(accessLog(dependencies.logger));
  app.use(safeHeaders);
  app.use(errorEnvelope(dependencies.logger));
  app.use(requestId());
  app.use(httpRules);
  app.use(router.routes());
  app.use(async (ctx, next) => {
    await next();
    if (ctx.status !== 404 || ctx.body !== undefined) return;
    const matching = router.stack.filter((layer) => layer.match(ctx.path));
    // A literal path wins over a path with an id.
    const exact = matching.filter((layer) => layer.path === ctx.path);
    const allowed = (exact.length > 0 ? exact : matching).flatMap((layer) => layer.methods);
    if (allowed.length === 0) return;
    ctx.set('Allow', [...new Set(allowed)].join(', '));
    const message = `${ctx.method} is not allowed on ${ctx.path}; allowed: ${allowed.join(', ')}.`;
    throw new ServiceError('method_not_allowed', message);
  });
  return app;
}
