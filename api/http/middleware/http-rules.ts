// HTTP rules that apply to every request, whose violations get the envelope, and the headers of
// every answer.
import type { Middleware } from 'koa';
import { ServiceError } from '../../../models/contract/errors.ts';
import type { RequestState } from '../request-state.ts';

/** A registered name, or an address in brackets, and a port; all may be absent (RFC 3986, 3.2). */
const hostPattern = /^([\w.~!$&'()*+,;=%-]*|\[[0-9a-f:.]+\])(:\d*)?$/i;

/** @throws 400 invalid_field without one valid Host or for a coded body, 417 expectation_failed */
export const httpRules: Middleware<RequestState> = async (ctx, next) => {
  const { headers, headersDistinct, httpVersionMajor, httpVersionMinor } = ctx.req;
  const hosts = headersDistinct.host?.length ?? 0;
  const hostIsOptional = httpVersionMajor === 1 && httpVersionMinor < 1;
  // RFC 9112, 3.2: with two Host headers a proxy in front may have used the other one.
  if (hosts > 1 || (hosts === 0 && !hostIsOptional)) {
    const message = `HTTP/1.1 takes exactly one Host header, got ${hosts || 'none'}.`;
    throw new ServiceError('invalid_field', message, { param: 'Host' });
  }
  // Answers name addresses that begin with it.
  if (!hostPattern.test(headers.host ?? '')) {
    const got = ctx.get('Host').slice(0, 64);
    const message = `Host takes a name or an address, and a port, got "${got}".`;
    throw new ServiceError('invalid_field', message, { param: 'Host' });
  }
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') {
    const message = `Expect takes 100-continue, got "${headers.expect.slice(0, 64)}".`;
    throw new ServiceError('expectation_failed', message, { param: 'Expect' });
  }
  // Node takes chunks apart and leaves every other coding in the body.
  const coding = headers['transfer-encoding'] ?? 'chunked';
  if (coding.toLowerCase() !== 'chunked') {
    const message = `Transfer-Encoding takes chunked, got "${coding.slice(0, 64)}".`;
    throw new ServiceError('invalid_field', message, { param: 'Transfer-Encoding' });
  }
  await next();
};

/**
 * Answers must not be framed or taken for another type, and those of the API must not be cached.
 */
export const safeHeaders: Middleware<RequestState> = async (ctx, next) => {
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.set('X-Frame-Options', 'DENY');
  if (/^\/(v1|openai\/v1|compat\/hume)\//.test(ctx.path)) ctx.set('Cache-Control', 'no-store');
  await next();
};
