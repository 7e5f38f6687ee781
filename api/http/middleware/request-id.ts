// Gives every request an id, the caller's or a new one, and returns it with every answer.
import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import { ServiceError } from '../../../models/contract/errors.ts';
import type { RequestState } from '../request-state.ts';
import { isRequestId, requestIdError } from '../../../models/contract/request-id.ts';

/** Visible ASCII, 1 to 128 characters; an empty or absent header gets a UUID v4. */
export function requestId(): Middleware<RequestState> {
  return async (ctx, next) => {
    const given = ctx.get('X-Request-ID');
    const valid: boolean = isRequestId(given);
    ctx.state.requestId = valid ? given : randomUUID();
    ctx.set('X-Request-ID', ctx.state.requestId);
    if (given !== '' && !valid) {
      const param = 'X-Request-ID';
      throw new ServiceError('invalid_request_id', requestIdError(param, given), { param });
    }
    await next();
  };
}
