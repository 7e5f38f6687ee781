// The one place that maps errors to answers, those for unknown paths and methods included.
import type { Middleware, ParameterizedContext } from 'koa';
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
        const path = loggedPath(ctx.path);
        logger[levelOf(error)]({ requestId, path, code: error.code, err: error.cause ?? error });
      }
      ctx.status = error.status;
      ctx.set(headersOf(error));
      ctx.body = toEnvelope(error, requestId);
      ctx.type = 'application/json';
    }
    drainUnread(ctx.req, ctx.res);
  };
}

/** Probes ask every second about services that are down, so a 503 is logged as a warning. */
function levelOf({ status }: ServiceError): 'warn' | 'error' {
  return status === 503 ? 'warn' : 'error';
}

/** What a client's leaving looks like to who writes its answer. */
const departures: readonly unknown[] = ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE'];

/**
 * Koa emits errors that occur while an answer is sent: its client has left, or the service broke
 * it off, of which nothing but this line tells.
 */
export function logLateError(logger: Logger) {
  // The body and the pipe that it is written by emit the same error.
  const told = new WeakSet<Error>();
  return (thrown: Error, ctx?: ParameterizedContext<RequestState>): void => {
    if (told.has(thrown)) return;
    told.add(thrown);
    const error = toServiceError(thrown);
    const hasLeft = departures.includes((thrown as NodeJS.ErrnoException).code);
    const level = hasLeft ? 'debug' : error.status >= 500 ? levelOf(error) : 'info';
    const path = ctx && loggedPath(ctx.path);
    const fields = { requestId: ctx?.state.requestId, path, code: error.code };
    logger[level]({ ...fields, err: error.cause ?? error }, 'an answer was broken off');
  };
}
