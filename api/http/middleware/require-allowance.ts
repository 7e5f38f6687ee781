// Checks before a body is read whether the account could pay at all.
import type { Middleware, ParameterizedContext } from 'koa';
import type { Account } from '../../../db/accounts.ts';
import { isKnownRequest } from '../../../db/requests.ts';
import { planRows } from '../../../models/contract/plans.ts';
import type { Db } from '../../../db/database.ts';
import { ServiceError } from '../../../models/contract/errors.ts';
import type { RequestState } from '../request-state.ts';

/**
 * For work that claims no request id, which no id of an earlier request lets in.
 * @throws 402 allowance_exhausted when nothing is left and overage is not allowed
 */
export const requireAllowance = requireAllowanceOrCreated(() => Promise.resolve(null));

/**
 * For endpoints that answer a repeated request with what the first one created, which may have
 * used up the allowance.
 * @throws 402 allowance_exhausted
 */
export function requireAllowanceOrCreated(
  findCreated: (ctx: ParameterizedContext<RequestState>) => Promise<object | null>,
): Middleware<RequestState> {
  return async (ctx, next) => {
    const { account, canPay } = ctx.state;
    if (!canPay && (await findCreated(ctx)) === null) throw exhausted(account);
    await next();
  };
}

/** For endpoints whose requests claim their id. @throws 402 allowance_exhausted */
export function requireAllowanceOrKnownId(db: Db): Middleware<RequestState> {
  return async (ctx, next) => {
    await rejectExhausted(db, ctx.state);
    await next();
  };
}

/** Whether a token belongs to a session that the account may still use. */
export interface LiveSessions {
  isLive(account: Account, token: string): Promise<boolean>;
}

/**
 * The same for endpoints that accept a slot of a prepared session. A live session of this key has
 * reserved minutes of its own, and the reservation decides.
 * @throws 402 allowance_exhausted
 */
export function requireAllowanceOrSession(
  db: Db,
  sessions: LiveSessions,
): Middleware<RequestState> {
  return async (ctx, next) => {
    const token = sessionToken(ctx);
    const covered = token !== '' && (await sessions.isLive(ctx.state.account, token));
    if (!covered) await rejectExhausted(db, ctx.state);
    await next();
  };
}

/** The token of the session that a request wants to use; empty without one. */
export function sessionToken(ctx: Pick<ParameterizedContext, 'get'>): string {
  return ctx.get('X-Svc-Session');
}

/**
 * A request that is known by its id has been paid for, or is told so once it is compared: who lost
 * the answer to the last one must not read that it was never made.
 * @throws 402 allowance_exhausted
 */
export async function rejectExhausted(
  db: Db,
  { account, canPay, requestId }: Pick<RequestState, 'account' | 'canPay' | 'requestId'>,
): Promise<void> {
  if (canPay) return;
  const { organizationId } = account;
  if (await isKnownRequest(db, { organizationId, requestId })) return;
  throw exhausted(account);
}

function exhausted({ plan }: Account): ServiceError {
  const message = `${planRows[plan].usedUp}; no audio was read and nothing was charged.`;
  return new ServiceError('allowance_exhausted', message);
}
