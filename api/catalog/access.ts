// Access to restricted models: requested here and decided by an operator, or included with a paid
// plan.
import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { accessState, requestAccess, type AccessState } from '../../db/model-access.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import type { ModelId } from '../../models/contract/catalog.ts';
import { models } from '../../models/contract/served-models.ts';
import { readJson } from '../http/json.ts';
import { authenticate } from '../http/middleware/authenticate.ts';
import { requireAccess } from '../http/middleware/require-access.ts';
import { accessRequestSchema } from './schemas.ts';
import type { RequestState } from '../http/request-state.ts';
import type { HttpDependencies } from '../http/dependencies.ts';

/** contract.md: 12 KB. */
const maxBodyBytes = 12_288;

export function accessPath(model: ModelId): string {
  return `/v1/models/${model}/access`;
}

export function modelAccessRoutes(
  router: Router<RequestState>,
  dependencies: HttpDependencies,
): void {
  const { db } = dependencies;
  const account = authenticate(dependencies);
  for (const { id, access } of models) {
    const path = accessPath(id);
    if (access === 'paid-plan') router.get(path, account, requireAccess(db, id), entitlement(id));
    if (access !== 'approval') continue;
    router.get(path, account, async (ctx) => {
      ctx.body = toAccess(id, await accessState(db, ctx.state.account.organizationId, id));
    });
    router.post(path, account, requestModelAccess(dependencies, id));
  }
}

function requestModelAccess(
  dependencies: HttpDependencies,
  model: ModelId,
): Middleware<RequestState> {
  const { db } = dependencies;
  return async (ctx) => {
    const body = await readJson(dependencies, ctx, { schema: accessRequestSchema, maxBodyBytes });
    const { organizationId, keyId } = ctx.state.account;
    const { state, requested, waitSeconds } = await requestAccess(db, {
      organizationId,
      model,
      useCase: body.use_case,
      actor: keyId,
    });
    if (waitSeconds !== null) {
      const message = `Access is ${state}; it may be requested again in ${waitSeconds} seconds.`;
      throw new ServiceError('rate_limited', message, { retryAfterSeconds: waitSeconds });
    }
    ctx.status = requested ? 202 : 200;
    ctx.body = toAccess(model, state);
  };
}

function toAccess(model: ModelId, status: AccessState) {
  return { model, status, approved: status === 'approved' };
}

/** A paid plan includes it without further cost. */
function entitlement(model: ModelId): Middleware<RequestState> {
  return (ctx) => {
    const { keyId, organizationId, plan } = ctx.state.account;
    ctx.body = {
      object: 'model.access',
      model,
      customer: { key_id: keyId, organization_id: organizationId, plan },
      entitlement: 'included_with_paid_plan',
      billed: false,
      consumes_credits: false,
      consumes_plan_minutes: false,
    };
  };
}
