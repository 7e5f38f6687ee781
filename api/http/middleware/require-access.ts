// Models that an organization needs approval for: refused before the body is read.
import type { Middleware } from 'koa';
import type { Db } from '../../../db/database.ts';
import { accessState } from '../../../db/model-access.ts';
import { ServiceError } from '../../../models/contract/errors.ts';
import type { RequestState } from '../../dependencies.ts';

/** @throws 403 model_access_required; nothing is inferred or charged */
export function requireAccess(db: Db, model: string): Middleware<RequestState> {
  return async (ctx, next) => {
    const state = await accessState(db, ctx.state.account.organizationId, model);
    if (state !== 'approved') {
      const message = `${model} needs approved access; the organization's request is ${state}.`;
      throw new ServiceError('model_access_required', message, { param: 'model' });
    }
    await next();
  };
}
