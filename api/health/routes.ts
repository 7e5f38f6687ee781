// GET /livez and GET /readyz.
import type Router from '@koa/router';
import { ServiceError } from '../../models/contract/errors.ts';
import type { RequestState } from '../http/request-state.ts';
import { namesOfFailing, type Readiness } from './readiness.ts';

export interface HealthDependencies {
  readonly readiness: Readiness;
}

export function healthRoutes(
  router: Router<RequestState>,
  { readiness }: HealthDependencies,
): void {
  router.get('/livez', (ctx) => {
    ctx.body = { status: 'ok' };
  });

  router.get('/readyz', async (ctx) => {
    const checks = await readiness.check();
    const failing = namesOfFailing(checks);
    if (failing !== null) {
      const [param = ''] = failing.split(' ');
      throw new ServiceError('not_ready', `Not ready: ${failing}.`, { param });
    }
    ctx.body = { status: 'ready', checks };
  });
}
