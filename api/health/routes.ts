// GET /livez and GET /readyz.
import type Router from '@koa/router';
import { ServiceError } from '../../models/contract/errors.ts';
import type { RequestState } from '../http/request-state.ts';
import type { Readiness } from './readiness.ts';

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
    const failing = Object.entries(checks).filter(([, state]) => state !== 'ok');
    if (failing.length > 0) {
      const names = failing.map(([name, state]) => `${name} (${state})`).join(', ');
      throw new ServiceError('not_ready', `Not ready: ${names}.`, { param: failing[0]![0] });
    }
    ctx.body = { status: 'ready', checks };
  });
}
