// How fast an organization's recordings are decoded while others wait for theirs. A decoder has a
// low priority, but its samples go through the worker's own thread and the storage, which have that
// of the service.
import { availableParallelism } from 'node:os';
import { paceClock, type PaceClock } from './pace-clock.ts';
import type { Presence } from './presence.ts';
import { createRatePace, type RatePace } from './rate-pace.ts';

/** Four times as fast as a core analyses; a decoder alone is ten times as fast as this. */
const secondsPerSecondOfCore = 120;
/** An ordinary call is decoded as fast as it can be. */
const burstSeconds = 600;

export interface DecodePaceOptions {
  /** Organizations that wait for recordings. */
  readonly callers: Presence;
  readonly cores?: number;
  readonly clock?: PaceClock;
}

/** A rate of seconds of audio. */
export function createDecodePace({
  callers,
  cores = availableParallelism(),
  clock = paceClock,
}: DecodePaceOptions): RatePace {
  const perSecond = secondsPerSecondOfCore * cores;
  return createRatePace({ presence: callers, perSecond, burst: burstSeconds, clock });
}
