// GET /v1/models and GET /v1/pricing: the catalog as it stands.
import type Router from '@koa/router';
import { languagesOf, publicBundle } from '../../models/bundles/catalog.ts';
import { pricingVersion } from '../../models/contract/catalog.ts';
import { models as catalog } from '../../models/contract/served-models.ts';
import type { AppDependencies, RequestState } from '../dependencies.ts';
import { authenticate } from '../http/middleware/authenticate.ts';

const minimumBillableSeconds = 1;

export function catalogRoutes(
  router: Router<RequestState>,
  dependencies: Pick<AppDependencies, 'db' | 'readiness' | 'credentialFailures'>,
): void {
  const { readiness } = dependencies;
  router.get('/v1/models', authenticate(dependencies), async (ctx) => {
    const { workers, models } = await readiness.check();
    const available = workers === 'ok' && models === 'ok';
    const data = catalog.map((row) => ({
      id: row.id,
      object: 'model',
      lifecycle: row.lifecycle,
      tasks: row.tasks,
      languages: languagesOf(row),
      labels: row.labels,
      limits: {
        min_seconds: row.limits.minSeconds,
        max_seconds: row.limits.maxSeconds,
        max_file_bytes: row.limits.maxFileBytes,
      },
      available,
      bundle: publicBundle(row),
    }));
    ctx.body = { object: 'list', data };
  });

  router.get('/v1/pricing', (ctx) => {
    const models = catalog.map(({ id, ratesPerMinuteUsd }) => ({
      id,
      rates_per_minute_usd: ratesPerMinuteUsd,
      minimum_billable_seconds: minimumBillableSeconds,
    }));
    ctx.body = { object: 'pricing', pricing_version: pricingVersion, currency: 'USD', models };
  });
}
