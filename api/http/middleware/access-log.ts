// One line per request: ids, route, status and time; no text, audio or keys.
import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import type { RequestState } from '../request-state.ts';

export function accessLog(logger: Logger): Middleware<RequestState> {
  return async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    const ms = Math.round(performance.now() - startedAt);
    const { requestId, account } = ctx.state;
    const { method, path, status } = ctx;
    logger.info({ requestId, keyId: account?.keyId, method, path, status, ms }, 'request');
  };
}
