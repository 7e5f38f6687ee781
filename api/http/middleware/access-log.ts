// One line per request: ids, route, status and time; no text, audio or keys.
import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import { answeredStatus } from '../answered-status.ts';
import type { RequestState } from '../request-state.ts';

/** A request line may have 16 KiB; whoever has no key must not fill the log with them. */
const maxLoggedCharacters = 256;

export function loggedPath(path: string): string {
  return path.slice(0, maxLoggedCharacters);
}

/** Written once the answer is, for which no caller waits. */
export function accessLog(logger: Logger): Middleware<RequestState> {
  return async (ctx, next) => {
    const startedAt = performance.now();
    ctx.res.once('close', () => {
      const ms = Math.round(performance.now() - startedAt);
      const { requestId, account } = ctx.state;
      const { method } = ctx;
      const [path, status] = [loggedPath(ctx.path), answeredStatus(ctx)];
      logger.info({ requestId, keyId: account?.keyId, method, path, status, ms }, 'request');
    });
    await next();
  };
}
