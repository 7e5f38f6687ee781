// Requests per minute of a key: counted before a body is read, told in every answer.
import type { ParameterizedContext } from 'koa';
import type { Account } from '../../db/api-keys.ts';
import type { Db } from '../../db/database.ts';
import { countRequest, windowSeconds } from '../../db/rate-windows.ts';
import { ServiceError } from '../../models/errors.ts';

/**
 * Sets `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10).
 * @throws 429 rate_limited, with the request id unused
 */
export async function limitRate(
  db: Db,
  { keyId, limits: { requestsPerMinute } }: Account,
  ctx: Pick<ParameterizedContext, 'set'>,
): Promise<void> {
  const { used, secondsLeft } = await countRequest(db, keyId);
  const left = Math.max(0, requestsPerMinute - used);
  ctx.set('RateLimit-Policy', `"key";q=${requestsPerMinute};w=${windowSeconds}`);
  ctx.set('RateLimit', `"key";r=${left};t=${secondsLeft}`);
  if (used <= requestsPerMinute) return;
  const message = `This key may send ${requestsPerMinute} requests a minute; nothing was read.`;
  throw new ServiceError('rate_limited', message, { retryAfterSeconds: secondsLeft });
}
