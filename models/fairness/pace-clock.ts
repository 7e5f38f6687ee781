// The clock of whatever gives way to others for some time.
import { setTimeout as sleep } from 'node:timers/promises';

export interface PaceClock {
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  readonly rest: (ms: number) => Promise<void>;
}

export const paceClock: PaceClock = {
  now: () => performance.now(),
  rest: (ms) => sleep(ms, undefined, { ref: false }),
};
