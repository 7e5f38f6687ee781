// Every request has an id, the caller's or ours, and every answer carries it.
import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import { ServiceError } from '../../models/errors.ts';
import type { RequestState } from '../dependencies.ts';

const maxLength = 128;

/** Visible ASCII, 1 to 128 characters; an empty or absent header gets a UUID v4. */
export function requestId(): Middleware<RequestState> {
  return async (ctx, next) => {
    const given = ctx.get('X-Request-ID');
    const valid = given.length <= maxLength && /^[\x21-\x7e]*$/.test(given);
    ctx.state.requestId = given !== '' && valid ? given : randomUUID();
    ctx.set('X-Request-ID', ctx.state.requestId);
    if (!valid) {
      throw new ServiceError(
        'invalid_request_id',
        `X-Request-ID takes 1 to ${maxLength} visible ASCII characters, got ${given.length}.`,
        { param: 'X-Request-ID' },
      );
    }
    await next();
  };
}
