// A bound on what one API process takes in at once: past it callers wait, nothing is stored.
import type { Middleware } from 'koa';
import { ServiceError } from '../../models/errors.ts';
import type { RequestState } from '../dependencies.ts';
import { createGate } from '../runs/gate.ts';

/** @throws 429 rate_limited above `max` requests under way */
export function limitConcurrency(
  max: number,
  { retryAfterSeconds = 2 } = {},
): Middleware<RequestState> {
  const gate = createGate(max);
  return async (_ctx, next) => {
    const leave = gate.enter();
    if (!leave) {
      const message = `The service is working on ${max} requests already; send it again later.`;
      throw new ServiceError('rate_limited', message, { retryAfterSeconds });
    }
    try {
      await next();
    } finally {
      leave();
    }
  };
}
