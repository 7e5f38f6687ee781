// Bounds on what is taken in at once, of one key and by one process: past them nothing is stored.
import type { Middleware } from 'koa';
import type { KeyLeases } from '../../../db/key-leases.ts';
import type { RequestState } from '../request-state.ts';
import type { FairGate } from '../../../models/fairness/fair-gate.ts';
import { acquireBodySlot } from '../body-slots.ts';
import { tooManyOfKey } from '../key-limits.ts';

/**
 * One middleware for every upload, so that the bounds hold over all endpoints. A place of the key
 * is held until the answer is made, whether or not its caller still waits; the places of the
 * process are shared by organizations. Sets `state.place`.
 * @throws 429 rate_limited
 */
export function limitConcurrency(leases: KeyLeases, uploads: FairGate): Middleware<RequestState> {
  return async (ctx, next) => {
    const { keyId, organizationId, limits } = ctx.state.account;
    const releaseLease = await leases.acquire(keyId, limits.maxConcurrent);
    if (!releaseLease) throw tooManyOfKey(limits.maxConcurrent);
    try {
      const slot = acquireBodySlot(uploads, organizationId);
      ctx.state.slot = slot;
      try {
        await next();
      } finally {
        slot.release();
      }
    } finally {
      releaseLease();
    }
  };
}
