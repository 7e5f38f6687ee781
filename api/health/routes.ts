// GET /livez and GET /readyz.
import type Router from '@koa/router';
import { ServiceError } from '../../models/contract/errors.ts';
import { readQuery } from '../http/query.ts';
import type { RequestState } from '../http/request-state.ts';
import { readyQuerySchema } from './openapi.ts';
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
    const { of = 'inference' } = readQuery(ctx, readyQuerySchema);
    // Both of one run of the checks: a second one might end otherwise.
    const report = await readiness.report(of);
    if (report.missing !== null) {
      const [param = ''] = report.missing.split(' ');
      throw new ServiceError('not_ready', `Not ready: ${report.missing}.`, { param });
    }
    ctx.body = { status: 'ready', checks: report.checks };
  });
}
