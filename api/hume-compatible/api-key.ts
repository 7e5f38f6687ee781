// The key of Hume's clients, in the header and with the prefix that they insist on.
import type { Middleware } from 'koa';
import { bearerKey } from '../http/bearer-key.ts';
import type { RequestState } from '../http/request-state.ts';

/**
 * `X-Hume-Api-Key` is a bearer key. A client that takes only keys beginning with `oruk_` is given a
 * key of this service with that prefix instead of `svc_`.
 */
export const humeKey: Middleware<RequestState> = async (ctx, next) => {
  const given = bearerKey(ctx.get('Authorization')) ?? ctx.get('X-Hume-Api-Key');
  if (given !== '') {
    ctx.req.headers.authorization = `Bearer ${given.replace(/^oruk_(?=live_|test_)/, 'svc_')}`;
  }
  await next();
};
