// Checks the bearer key, the account and the rate of requests before a body is read.
import type { Middleware, Next, ParameterizedContext } from 'koa';
import { admitByKey } from '../../../db/accounts.ts';
import { ServiceError } from '../../../models/contract/errors.ts';
import { bearerKey } from '../bearer-key.ts';
import { limitRate } from './limit-rate.ts';
import type { RequestState } from '../request-state.ts';
import type { HttpDependencies } from '../dependencies.ts';

type Context = ParameterizedContext<RequestState>;
type Dependencies = Pick<HttpDependencies, 'db' | 'credentialFailures' | 'throttle'>;

/**
 * Sets `state.account` and `state.canPay`; the rest of the request runs in a slot of its
 * organization (request-throttle.ts).
 * @throws 401 invalid_api_key, 403 account_suspended, 429 rate_limited
 */
export function authenticate(dependencies: Dependencies): Middleware<RequestState> {
  const { db, credentialFailures, throttle } = dependencies;
  const admit = async (ctx: Context, key: string, next: Next): Promise<void> => {
    const admission = await credentialFailures.attempt({
      address: ctx.state.connection.address,
      secret: key,
      lookUp: () => admitByKey(db, key),
      organizationOf: (found) => found?.account.organizationId ?? null,
    });
    if (!admission) throw new ServiceError('invalid_api_key', 'The API key is not valid.');
    const { account, rate, canPay } = admission;
    if (!rate) throw new ServiceError('account_suspended', 'The account is suspended.');
    ctx.state.account = account;
    ctx.state.canPay = canPay;
    limitRate(account.limits, rate, ctx);
    await next();
  };
  return async (ctx, next) => {
    const key = bearerKey(ctx.get('Authorization'));
    if (key === null) {
      const message = 'Send your API key as "Authorization: Bearer <API_KEY>".';
      throw new ServiceError('invalid_api_key', message);
    }
    const organizationId = credentialFailures.organizationOfValid(key);
    await throttle.run(organizationId, () => admit(ctx, key, next));
  };
}
