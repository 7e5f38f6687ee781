// Access to models that need approval or a paid plan.
import type { Middleware } from 'koa';
import type { Account } from '../../../db/accounts.ts';
import type { Db } from '../../../db/database.ts';
import { accessState } from '../../../db/model-access.ts';
import type { ModelId } from '../../../models/contract/catalog.ts';
import { planRows } from '../../../models/contract/plans.ts';
import { ServiceError } from '../../../models/contract/errors.ts';
import { modelRow } from '../../../models/contract/served-models.ts';
import type { RequestState } from '../request-state.ts';

/** Checked before the body is read. @throws as `rejectWithoutAccess` */
export function requireAccess(db: Db, model: ModelId): Middleware<RequestState> {
  return async (ctx, next) => {
    await rejectWithoutAccess(db, ctx.state.account, model);
    await next();
  };
}

/**
 * Trials and prepaid credits do not count as a paid plan.
 * @throws 403 model_access_required, 402 paid_plan_required; nothing is inferred or charged
 */
export async function rejectWithoutAccess(
  db: Db,
  { organizationId, plan }: Pick<Account, 'organizationId' | 'plan'>,
  model: ModelId,
): Promise<void> {
  const { access } = modelRow(model);
  const param = 'model';
  if (access === 'paid-plan' && !planRows[plan].includesPaidModels) {
    const message = `${model} is included with a paid plan; the plan here is ${plan}.`;
    throw new ServiceError('paid_plan_required', message, { param });
  }
  if (access !== 'approval') return;
  const state = await accessState(db, organizationId, model);
  if (state === 'approved') return;
  const message = `${model} needs approved access; the organization's request is ${state}.`;
  throw new ServiceError('model_access_required', message, { param });
}
