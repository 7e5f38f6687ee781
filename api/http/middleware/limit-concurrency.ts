// Bounds on what is taken in at once, of one key and by one process: past them nothing is stored.
import type { Middleware } from 'koa';
import type { Places } from '../../../db/places.ts';
import type { RequestState } from '../request-state.ts';
import type { FairGate } from '../../../models/fairness/fair-gate.ts';
import { takePlace } from '../places.ts';
import { tooManyOfKey } from '../key-limits.ts';

/**
 * One middleware for every upload, so that the bounds hold over all endpoints. A place of the key
 * is held until the answer is made, whether or not its caller still waits; the places of the
 * process are shared by organizations. Sets `state.place`.
 * @throws 429 rate_limited
 */
export function limitConcurrency(places: Places, uploads: FairGate): Middleware<RequestState> {
  return async (ctx, next) => {
    const { keyId, organizationId, limits } = ctx.state.account;
    const leaveKey = await places.claim(keyId, limits.maxConcurrent);
    if (!leaveKey) throw tooManyOfKey(limits.maxConcurrent);
    try {
      const place = takePlace(uploads, organizationId);
      ctx.state.place = place;
      try {
        await next();
      } finally {
        place.leave();
      }
    } finally {
      leaveKey();
    }
  };
}
