// GET /v1/models and GET /v1/pricing.
import type Router from '@koa/router';
import { authenticate } from '../http/middleware/authenticate.ts';
import { toModelList, toPricing } from './response.ts';
import type { RequestState } from '../http/request-state.ts';
import type { HttpDependencies } from '../http/dependencies.ts';
import type { Readiness } from '../health/readiness.ts';

export interface CatalogDependencies extends HttpDependencies {
  readonly readiness: Readiness;
  /** The bundle that recognises English. */
  readonly englishBundle: string;
}

export function catalogRoutes(
  router: Router<RequestState>,
  dependencies: CatalogDependencies,
): void {
  const { readiness, englishBundle } = dependencies;
  router.get('/v1/models', authenticate(dependencies), async (ctx) => {
    const { workers, models } = await readiness.check();
    const available = workers === 'ok' && models === 'ok';
    ctx.body = toModelList({ available, english: englishBundle });
  });

  router.get('/v1/pricing', (ctx) => {
    ctx.body = toPricing();
  });
}
