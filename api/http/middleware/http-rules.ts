// What HTTP asks of every request, refused with the envelope, and headers that every answer has.
import type { Middleware } from 'koa';
import { ServiceError } from '../../../models/contract/errors.ts';
import type { RequestState } from '../request-state.ts';

/** @throws 400 invalid_field without one Host, 417 expectation_failed */
export const httpRules: Middleware<RequestState> = async (ctx, next) => {
  const { headers, headersDistinct, httpVersionMajor, httpVersionMinor } = ctx.req;
  const hosts = headersDistinct.host?.length ?? 0;
  const hostIsOptional = httpVersionMajor === 1 && httpVersionMinor < 1;
  // RFC 9112, 3.2: of two hosts a proxy in front may have gone by the other one.
  if (hosts > 1 || (hosts === 0 && !hostIsOptional)) {
    const message = `HTTP/1.1 takes exactly one Host header, got ${hosts || 'none'}.`;
    throw new ServiceError('invalid_field', message, { param: 'Host' });
  }
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') {
    const message = `Expect takes 100-continue, got "${headers.expect.slice(0, 64)}".`;
    throw new ServiceError('expectation_failed', message, { param: 'Expect' });
  }
  await next();
};

/** Nothing is framed or taken for another type; answers of the API are kept by nobody between. */
export const safeHeaders: Middleware<RequestState> = async (ctx, next) => {
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.set('X-Frame-Options', 'DENY');
  if (/^\/(openai\/)?v1\//.test(ctx.path)) ctx.set('Cache-Control', 'no-store');
  await next();
};
