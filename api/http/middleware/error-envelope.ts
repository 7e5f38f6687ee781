// The one place that maps errors to answers, those for unknown paths and methods included.
import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import { ServiceError } from '../../../models/contract/errors.ts';
import type { RequestState } from '../request-state.ts';
import { headersOf, toEnvelope, toServiceError } from '../errors.ts';
import { drainUnread } from '../drain.ts';
import { loggedPath } from './access-log.ts';

export function errorEnvelope(logger: Logger): Middleware<RequestState> {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body === undefined) {
        throw new ServiceError('not_found', `There is no ${ctx.method} ${ctx.path} here.`);
      }
    } catch (thrown) {
      const error = toServiceError(thrown);
      const requestId = ctx.state.requestId ?? null;
      if (error.status >= 500) {
        // Probes ask every second about services that are down, so a 503 is logged as a warning.
        const level = error.status === 503 ? 'warn' : 'error';
        const path = loggedPath(ctx.path);
        logger[level]({ requestId, path, code: error.code, err: error.cause ?? error });
      }
      ctx.status = error.status;
      ctx.set(headersOf(error));
      ctx.body = toEnvelope(error, requestId);
      ctx.type = 'application/json';
    }
    drainUnread(ctx.req, ctx.res);
  };
}
