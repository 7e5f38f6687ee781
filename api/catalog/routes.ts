// GET /v1/models and GET /v1/pricing: the catalog as it stands.
import type Router from '@koa/router';
import type { AppDependencies, RequestState } from '../dependencies.ts';
import { authenticate } from '../http/middleware/authenticate.ts';
import { toModelList, toPricing } from './response.ts';

export function catalogRoutes(
  router: Router<RequestState>,
  dependencies: Pick<AppDependencies, 'db' | 'readiness' | 'credentialFailures'>,
): void {
  const { readiness } = dependencies;
  router.get('/v1/models', authenticate(dependencies), async (ctx) => {
    const { workers, models } = await readiness.check();
    ctx.body = toModelList(workers === 'ok' && models === 'ok');
  });

  router.get('/v1/pricing', (ctx) => {
    ctx.body = toPricing();
  });
}
