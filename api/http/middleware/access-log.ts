// One line per request: ids, route, status and time; no text, audio or keys.
import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import type { RequestState } from '../request-state.ts';

/** A request line may have 16 KiB; whoever has no key must not fill the log with them. */
const maxLoggedCharacters = 256;

export function loggedPath(path: string): string {
  return path.slice(0, maxLoggedCharacters);
}

export function accessLog(logger: Logger): Middleware<RequestState> {
  return async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    const ms = Math.round(performance.now() - startedAt);
    const { requestId, account } = ctx.state;
    const { method, status } = ctx;
    const path = loggedPath(ctx.path);
    logger.info({ requestId, keyId: account?.keyId, method, path, status, ms }, 'request');
  };
}
