// GET /v1/models and GET /v1/pricing.
import type Router from '@koa/router';
import { authenticate } from '../http/middleware/authenticate.ts';
import { toModelList, toPricing } from './response.ts';
import type { RequestState } from '../http/request-state.ts';
import type { HttpDependencies } from '../http/dependencies.ts';
import type { Readiness } from '../health/readiness.ts';
import type { BundlesInUse } from '../../models/bundles/catalog.ts';

export interface CatalogDependencies extends HttpDependencies {
  readonly readiness: Readiness;
  readonly bundles: BundlesInUse;
}

export function catalogRoutes(
  router: Router<RequestState>,
  dependencies: CatalogDependencies,
): void {
  const { readiness, bundles } = dependencies;
  router.get('/v1/models', authenticate(dependencies), async (ctx) => {
    const { workers, models } = await readiness.check();
    const available = workers === 'ok' && models === 'ok';
    ctx.body = toModelList({ available, bundles });
  });

  router.get('/v1/pricing', (ctx) => {
    ctx.body = toPricing();
  });
}
