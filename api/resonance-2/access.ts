// Access of an organization to Resonance-2: asked for here, decided by an operator.
import type Router from '@koa/router';
import { accessState, requestAccess, type AccessState } from '../../db/model-access.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import type { AppDependencies, RequestState } from '../dependencies.ts';
import { authenticate } from '../http/middleware/authenticate.ts';
import { readJson } from '../http/json.ts';
import { accessRequestSchema } from '../catalog/schemas.ts';

const model = 'svc-resonance-2';
const path = `/v1/models/${model}/access`;
/** contract.md: 12 KB. */
const maxBodyBytes = 12_288;

export function modelAccessRoutes(
  router: Router<RequestState>,
  dependencies: Pick<AppDependencies, 'db' | 'bodies' | 'uploadDeadlines' | 'credentialFailures'>,
): void {
  const { db } = dependencies;
  router.get(path, authenticate(dependencies), async (ctx) => {
    const { organizationId } = ctx.state.account;
    ctx.body = toAccess(await accessState(db, organizationId, model));
  });

  router.post(path, authenticate(dependencies), async (ctx) => {
    const body = await readJson(dependencies, ctx, { schema: accessRequestSchema, maxBodyBytes });
    const { organizationId, keyId } = ctx.state.account;
    const { state, requested, waitSeconds } = await requestAccess(db, {
      organizationId,
      model,
      useCase: body.use_case,
      actor: keyId,
    });
    if (waitSeconds !== null) {
      const message = `Access is ${state}; it may be asked for again in ${waitSeconds} seconds.`;
      throw new ServiceError('rate_limited', message, { retryAfterSeconds: waitSeconds });
    }
    ctx.status = requested ? 202 : 200;
    ctx.body = toAccess(state);
  });
}

function toAccess(status: AccessState) {
  return { model, status, approved: status === 'approved' };
}
