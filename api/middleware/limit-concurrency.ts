// Bounds on what is taken in at once, by one process and of one key: past them nothing is stored.
import type { Middleware } from 'koa';
import type { Db } from '../../db/database.ts';
import { openRequestsOf } from '../../db/requests.ts';
import { ServiceError } from '../../models/errors.ts';
import type { RequestState } from '../dependencies.ts';
import { createGate } from '../runs/gate.ts';

const retryAfterSeconds = 1;

/**
 * One middleware for every upload, so that the bounds hold over all endpoints. A key has at most
 * its number in each process, and none is let in while so many are under way over all processes.
 * @throws 429 rate_limited
 */
export function limitConcurrency(db: Db, maxInProcess: number): Middleware<RequestState> {
  const process = createGate(maxInProcess);
  const ofKey = new Map<string, number>();
  return async (ctx, next) => {
    const { keyId, limits } = ctx.state.account;
    const inside = ofKey.get(keyId) ?? 0;
    if (
      inside >= limits.maxConcurrent ||
      (await openRequestsOf(db, keyId)) >= limits.maxConcurrent
    ) {
      throw busy(`This key may have ${limits.maxConcurrent} requests under way`);
    }
    const leave = process.enter();
    if (!leave) throw busy(`The service is working on ${maxInProcess} requests already`);
    ofKey.set(keyId, (ofKey.get(keyId) ?? 0) + 1);
    try {
      await next();
    } finally {
      leave();
      const left = ofKey.get(keyId)! - 1;
      if (left === 0) ofKey.delete(keyId);
      else ofKey.set(keyId, left);
    }
  };
}

function busy(what: string): ServiceError {
  return new ServiceError('rate_limited', `${what}; send it again later.`, { retryAfterSeconds });
}
