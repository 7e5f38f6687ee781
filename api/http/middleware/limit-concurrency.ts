// Limits the concurrent uploads of a key and of the process; a rejected upload stores nothing.
import type { Middleware } from 'koa';
import type { KeyLeases } from '../../../db/key-leases.ts';
import type { RequestState } from '../request-state.ts';
import type { FairGate } from '../../../models/fairness/fair-gate.ts';
import { acquireBodySlot } from '../body-slots.ts';
import { tooManyOfKey } from '../key-limits.ts';

/**
 * One middleware serves every upload, so that the limits span all endpoints. The key's lease is
 * held until the answer is complete, whether or not the caller still waits; organizations share the
 * slots of the process. Sets `state.slot`.
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
