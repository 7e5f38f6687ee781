// Limits the requests per minute of a key before a body is read, and reports the count in every
// answer.
import type { ParameterizedContext } from 'koa';
import { windowSeconds, type RateWindow } from '../../../db/rate-windows.ts';
import type { KeyLimits } from '../../../models/contract/plans.ts';
import { requireRate } from '../key-limits.ts';

/**
 * Sets `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10).
 * @throws 429 rate_limited, with the request id unused
 */
export function limitRate(
  { requestsPerMinute }: KeyLimits,
  rate: RateWindow,
  ctx: Pick<ParameterizedContext, 'set'>,
): void {
  const left = Math.max(0, requestsPerMinute - rate.used);
  ctx.set('RateLimit-Policy', `"key";q=${requestsPerMinute};w=${windowSeconds}`);
  ctx.set('RateLimit', `"key";r=${left};t=${rate.secondsLeft}`);
  requireRate(requestsPerMinute, rate);
}
