// What a key that sends too much is answered with, by files and by streams.
import { ServiceError } from '../../models/contract/errors.ts';

/** A minute's requests, as they were counted. */
export interface RateUse {
  readonly used: number;
  /** Until the count begins anew. */
  readonly secondsLeft: number;
}

/** @throws ServiceError 429 rate_limited when this request is one too many */
export function requireRate(requestsPerMinute: number, { used, secondsLeft }: RateUse): void {
  if (used <= requestsPerMinute) return;
  const message = `This key may send ${requestsPerMinute} requests a minute; nothing was read.`;
  throw new ServiceError('rate_limited', message, { retryAfterSeconds: secondsLeft });
}

/** The refusal of one more request beside so many. */
export function tooManyOfKey(maxConcurrent: number): ServiceError {
  return tooBusy(`This key may have ${maxConcurrent} requests under way`);
}

/** The refusal of what would be too much at once; worth another try a second later. */
export function tooBusy(what: string): ServiceError {
  const message = `${what}; send it again later.`;
  return new ServiceError('rate_limited', message, { retryAfterSeconds: 1 });
}
