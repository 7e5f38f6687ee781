// The failures that one address has left: a look-up takes one before its outcome is known.
import { ServiceError } from '../../models/contract/errors.ts';

export interface FailureLimits {
  /** Failures that an address may have at once. */
  readonly burst: number;
  readonly perMinute: number;
}

/** What a look-up has taken: nothing, a failure, or the turn of an address without any left. */
export type Share = 'none' | 'failure' | 'turn';

export interface FailuresLeft {
  /**
   * Waits while all that are left are taken by look-ups in progress. An address past its limit has
   * one turn at a time, ten a second.
   * @throws ServiceError 429 rate_limited between turns, or the error of `interrupt`
   */
  take(): Promise<Exclude<Share, 'none'>>;
  /** The credentials were valid. */
  giveBack(share: Share): void;
  /** They were not. */
  spend(share: Share): void;
  /** The look-up failed, and so does who waits: an outage is waited for once. */
  interrupt(share: Share, error: unknown): void;
  tooMany(): ServiceError;
}

/** Interval between the look-ups of an address past its limit. */
const retryIntervalMs = 100;

/** @param nowMs milliseconds of a monotonic clock */
export function createFailuresLeft(
  { burst, perMinute }: FailureLimits,
  nowMs: () => number,
): FailuresLeft {
  const perMs = perMinute / 60_000;
  /** At the time `atMs`, without those that are taken. */
  let left = burst;
  let atMs = nowMs();
  let taken = 0;
  const waiting: PromiseWithResolvers<void>[] = [];
  /** When an address past its limit may look up again; Infinity while a look-up is in progress. */
  let freeAtMs = 0;

  const refill = (): void => {
    const now = nowMs();
    left = Math.min(burst, left + (now - atMs) * perMs);
    atMs = now;
  };
  const tooMany = (): ServiceError => {
    const message =
      'This address has sent too many invalid keys, tickets or tokens; ' +
      `allowed are ${burst} at once and ${perMinute} a minute.`;
    const retryAfterSeconds = Math.max(1, Math.ceil((1 - left) / perMs / 1_000));
    return new ServiceError('rate_limited', message, { retryAfterSeconds });
  };
  const giveBack = (share: Share): void => {
    if (share === 'turn') freeAtMs = nowMs() + retryIntervalMs;
    if (share !== 'failure') return;
    taken -= 1;
    left = Math.min(burst, left + 1);
    waiting.shift()?.resolve();
  };
  return {
    tooMany,
    giveBack,
    async take() {
      for (refill(); left < 1 && taken > 0; refill()) {
        const next = Promise.withResolvers<void>();
        waiting.push(next);
        await next.promise;
      }
      if (left >= 1) {
        left -= 1;
        taken += 1;
        return 'failure';
      }
      if (nowMs() < freeAtMs) throw tooMany();
      freeAtMs = Infinity;
      return 'turn';
    },
    spend(share) {
      if (share === 'turn') freeAtMs = nowMs() + retryIntervalMs;
      if (share === 'none') {
        refill();
        left = Math.max(0, left - 1);
      }
      if (share !== 'failure') return;
      taken -= 1;
      // Nothing is given back any more.
      if (taken === 0) for (const { resolve } of waiting.splice(0)) resolve();
    },
    interrupt(share, error) {
      giveBack(share);
      for (const { reject } of waiting.splice(0)) reject(error);
    },
  };
}
