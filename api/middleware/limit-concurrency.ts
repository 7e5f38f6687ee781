// Bounds on what is taken in at once, by one process and of one key: past them nothing is stored.
import type { Middleware } from 'koa';
import type { Db } from '../../db/database.ts';
import { openRequestsOf } from '../../db/requests.ts';
import type { RequestState } from '../dependencies.ts';
import { createGate, type Gate } from '../runs/gate.ts';
import { tooBusy, tooManyOfKey } from '../wire/key-limits.ts';

/**
 * One middleware for every upload, so that the bounds hold over all endpoints. A key has at most
 * its number in each process, and none is let in while so many are under way over all processes.
 * @throws 429 rate_limited
 */
export function limitConcurrency(db: Db, maxInProcess: number): Middleware<RequestState> {
  const process = createGate(maxInProcess);
  const gates = new Map<string, Gate>();
  return async (ctx, next) => {
    const { keyId, limits } = ctx.state.account;
    const { maxConcurrent } = limits;
    // A place is taken before anything is waited for: a burst must not pass together.
    const leaveKey = gateOf(gates, keyId, maxConcurrent).enter();
    if (!leaveKey) throw tooManyOfKey(maxConcurrent);
    try {
      if ((await openRequestsOf(db, keyId)) >= maxConcurrent) throw tooManyOfKey(maxConcurrent);
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

/** A key whose limit was changed gets a new gate. */
function gateOf(gates: Map<string, Gate>, keyId: string, max: number): Gate {
  const known = gates.get(keyId);
  if (known?.max === max) return known;
  const gate = createGate(max);
  gates.set(keyId, gate);
  return gate;
}
