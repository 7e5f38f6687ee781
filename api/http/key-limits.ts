// The errors for a key that exceeds its limits, shared by files and streams.
import { ServiceError } from '../../models/contract/errors.ts';

/** The requests of a minute so far. */
export interface RateUse {
  readonly used: number;
  /** Seconds until the next window. */
  readonly secondsLeft: number;
}

/** @throws ServiceError 429 rate_limited when this request exceeds the limit */
export function requireRate(requestsPerMinute: number, { used, secondsLeft }: RateUse): void {
  if (used <= requestsPerMinute) return;
  const message = `This key may send ${requestsPerMinute} requests a minute.`;
  throw new ServiceError('rate_limited', message, { retryAfterSeconds: secondsLeft });
}

/** The error for one request too many at the same time. */
export function tooManyOfKey(maxConcurrent: number): ServiceError {
  return tooBusy(`This key may have ${maxConcurrent} requests in progress at once`);
}

/** The error for exceeding a limit of concurrency; a retry after a second may succeed. */
export function tooBusy(what: string): ServiceError {
  const message = `${what}; send it again later.`;
  return new ServiceError('rate_limited', message, { retryAfterSeconds: 1 });
}
