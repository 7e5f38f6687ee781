// Whether anything is left that could pay: decided before a body is read.
import type { Middleware, ParameterizedContext } from 'koa';
import type { Account } from '../../../db/api-keys.ts';
import { hasAllowance, usedUp } from '../../../db/balance.ts';
import type { Db } from '../../../db/database.ts';
import { ServiceError } from '../../../models/contract/errors.ts';
import type { RequestState } from '../request-state.ts';

/** @throws 402 allowance_exhausted when nothing is left and overage is not allowed */
export function requireAllowance(db: Db): Middleware<RequestState> {
  return async (ctx, next) => {
    await rejectExhausted(db, ctx.state.account);
    await next();
  };
}

/** Tells whether a token is that of a session that the account may still use. */
export interface LiveSessions {
  isLive(account: Account, token: string): Promise<boolean>;
}

/**
 * The same where a slot of a prepared session can be spent: a session of this very key that still
 * lives has set its own minutes aside, and the reservation decides.
 * @throws 402 allowance_exhausted
 */
export function requireAllowanceOrSession(
  db: Db,
  sessions: LiveSessions,
): Middleware<RequestState> {
  return async (ctx, next) => {
    const token = sessionToken(ctx);
    const covered = token !== '' && (await sessions.isLive(ctx.state.account, token));
    if (!covered) await rejectExhausted(db, ctx.state.account);
    await next();
  };
}

/** The token of the session that a request wants to spend a slot of; empty without one. */
export function sessionToken(ctx: Pick<ParameterizedContext, 'get'>): string {
  return ctx.get('X-Svc-Session');
}

/** @throws 402 allowance_exhausted */
export async function rejectExhausted(
  db: Db,
  { organizationId, plan }: Pick<Account, 'organizationId' | 'plan'>,
): Promise<void> {
  if (await hasAllowance(db, organizationId)) return;
  const message = `${usedUp(plan)}; no audio was read and nothing was charged.`;
  throw new ServiceError('allowance_exhausted', message);
}
