// Bounds on what is taken in at once, of one key and by one process: past them nothing is stored.
import type { Middleware } from 'koa';
import type { Places } from '../../db/places.ts';
import type { RequestState } from '../dependencies.ts';
import { createGate } from '../runs/gate.ts';
import { tooBusy, tooManyOfKey } from '../wire/key-limits.ts';

/**
 * One middleware for every upload, so that the bounds hold over all endpoints. A place of the key
 * is held until the answer is made, whether or not its caller still waits.
 * @throws 429 rate_limited
 */
export function limitConcurrency(places: Places, maxInProcess: number): Middleware<RequestState> {
  const process = createGate(maxInProcess);
  return async (ctx, next) => {
    const { keyId, limits } = ctx.state.account;
    const leaveKey = await places.claim(keyId, limits.maxConcurrent);
    if (!leaveKey) throw tooManyOfKey(limits.maxConcurrent);
    try {
      const leave = process.enter();
      if (!leave) throw tooBusy(`The service is working on ${maxInProcess} requests already`);
      try {
        await next();
      } finally {
        leave();
      }
    } finally {
      leaveKey();
    }
  };
}
