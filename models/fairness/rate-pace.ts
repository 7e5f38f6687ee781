// A rate for what an organization sends or has done, while others are there.
import type { PaceClock } from './pace-clock.ts';
import type { Presence } from './presence.ts';

export interface RatePace {
  /**
   * Counts what has passed, or what is about to.
   * @param name of the organization, or of what all who have no key share
   * @returns when the next may pass; null when it may at once
   */
  passed(name: string, amount: number): Promise<void> | null;
}

export interface RatePaceOptions {
  readonly presence: Pick<Presence, 'othersThan'>;
  readonly perSecond: number;
  /** So much passes at once before the rate counts. */
  readonly burst: number;
  readonly clock: PaceClock;
}

/** The generic cell rate algorithm (ITU-T I.371), per organization; without others no limit. */
export function createRatePace({ presence, perSecond, burst, clock }: RatePaceOptions): RatePace {
  const perMs = perSecond / 1_000;
  const burstMs = burst / perMs;
  /** When what an organization has sent would have passed at its rate. */
  const dueMs = new Map<string, number>();

  return {
    passed: (name, amount) => {
      const nowMs = clock.now();
      for (const [other, atMs] of dueMs) if (atMs <= nowMs) dueMs.delete(other);
      if (!presence.othersThan(name, nowMs)) {
        dueMs.delete(name);
        return null;
      }
      const atMs = (dueMs.get(name) ?? nowMs) + amount / perMs;
      dueMs.set(name, atMs);
      const waitMs = atMs - nowMs - burstMs;
      return waitMs <= 0 ? null : clock.rest(waitMs);
    },
  };
}
