// Checks the bearer key, the account and the rate of requests before a body is read.
import type { Middleware, Next, ParameterizedContext } from 'koa';
import { findAccountByKey } from '../../../db/api-keys.ts';
import { ServiceError } from '../../../models/contract/errors.ts';
import { bearerKey } from '../bearer-key.ts';
import { limitRate } from './limit-rate.ts';
import type { RequestState } from '../request-state.ts';
import type { HttpDependencies } from '../dependencies.ts';

type Context = ParameterizedContext<RequestState>;
type Dependencies = Pick<HttpDependencies, 'db' | 'credentialFailures' | 'turns'>;

/**
 * Sets `state.account`; what follows is done in a turn of the key's.
 * @throws 401 invalid_api_key, 403 account_suspended, 429 rate_limited
 */
export function authenticate(dependencies: Dependencies): Middleware<RequestState> {
  const { db, credentialFailures, turns } = dependencies;
  const admit = async (ctx: Context, key: string, next: Next): Promise<void> => {
    const account = await credentialFailures.attempt({
      address: ctx.state.arrival.address,
      secret: key,
      lookUp: () => findAccountByKey(db, key),
      isValid: (found) => found !== null,
    });
    if (!account) throw new ServiceError('invalid_api_key', 'The API key is not valid.');
    if (account.suspended) {
      throw new ServiceError('account_suspended', 'The account is suspended.');
    }
    ctx.state.account = account;
    await limitRate(db, account, ctx);
    await next();
  };
  return async (ctx, next) => {
    const key = bearerKey(ctx.get('Authorization'));
    if (key === null) {
      const message = 'Send your API key as "Authorization: Bearer <API_KEY>".';
      throw new ServiceError('invalid_api_key', message);
    }
    const caller = credentialFailures.nameOfValid(key);
    const work = (): Promise<void> => admit(ctx, key, next);
    // Credentials that nobody knows have a budget of their own, by their address.
    await (caller === null ? work() : turns.run(caller, work));
  };
}
