// Counts the requests per minute of a key before a body is read, and reports the count in every
// answer.
import type { ParameterizedContext } from 'koa';
import type { Account } from '../../../db/api-keys.ts';
import type { Db } from '../../../db/database.ts';
import { countRequest, windowSeconds } from '../../../db/rate-windows.ts';
import { requireRate } from '../key-limits.ts';

/**
 * Sets `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10).
 * @throws 429 rate_limited, with the request id unused
 */
export async function limitRate(
  db: Db,
  { keyId, limits: { requestsPerMinute } }: Account,
  ctx: Pick<ParameterizedContext, 'set'>,
): Promise<void> {
  const use = await countRequest(db, keyId);
  const left = Math.max(0, requestsPerMinute - use.used);
  ctx.set('RateLimit-Policy', `"key";q=${requestsPerMinute};w=${windowSeconds}`);
  ctx.set('RateLimit', `"key";r=${left};t=${use.secondsLeft}`);
  requireRate(requestsPerMinute, use);
}
