// Steps that take turns, and rest after each while somebody else needs what they go through.
import type { PaceClock } from './pace-clock.ts';

export interface RestingLane {
  /** Does a step once it may begin; the rest after it delays only the next one. */
  run<T>(step: () => Promise<T>): Promise<T>;
}

export interface LaneOptions {
  /** How many steps there may be at once now, those that rest included. */
  readonly slots: () => number;
  /** Whether a step that ends now is followed by a rest. */
  readonly rests: () => boolean;
  readonly maxRestMs: number;
  /** Nothing runs, rests or waits any more. */
  readonly emptied?: () => void;
  readonly clock: PaceClock;
}

/** Steps that rest take a quarter of the time. */
const restsPerStep = 3;

/** Steps begin in the order in which they came. */
export function createRestingLane({
  slots,
  rests,
  maxRestMs,
  emptied,
  clock,
}: LaneOptions): RestingLane {
  const waiting: (() => void)[] = [];
  let taken = 0;

  const enterNext = (): void => {
    const most = slots();
    while (waiting.length > 0 && taken < most) {
      taken += 1;
      waiting.shift()!();
    }
  };
  const leave = (): void => {
    taken -= 1;
    enterNext();
    if (taken === 0) emptied?.();
  };
  return {
    run: async (step) => {
      await new Promise<void>((enter) => {
        waiting.push(enter);
        enterNext();
      });
      const startedAt = clock.now();
      try {
        return await step();
      } finally {
        const ms = Math.min(maxRestMs, restsPerStep * (clock.now() - startedAt));
        if (rests()) void clock.rest(ms).then(leave);
        else leave();
      }
    },
  };
}
