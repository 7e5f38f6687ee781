// The pace of bulk beside callers. Priorities divide processes and cores, but not what everybody's
// work goes through at the priority of the service: the worker's own thread, database, storage.
import { availableParallelism } from 'node:os';
import { paceClock, type PaceClock } from './pace-clock.ts';
import type { Presence } from './presence.ts';
import { createRestingLane, type RestingLane } from './resting-lane.ts';

export interface BulkPaceOptions {
  /** Organizations that wait for recordings. */
  readonly callers: Presence;
  readonly cores?: number;
  readonly clock?: PaceClock;
}

/** Somebody who sends a clip every second or two is there all the time. */
const callersStayMs = 2_000;
/** What takes long waits for processes that have shares of their own. */
const maxRestMs = 2_000;

/** While callers are there, one step a core at a time, each followed by a rest; else no limit. */
export function createBulkPace({
  callers,
  cores = availableParallelism(),
  clock = paceClock,
}: BulkPaceOptions): RestingLane {
  const rests = (): boolean => callers.isAnyPresent(clock.now(), callersStayMs);
  const slots = (): number => (rests() ? cores : Infinity);
  return createRestingLane({ slots, rests, maxRestMs, clock });
}
