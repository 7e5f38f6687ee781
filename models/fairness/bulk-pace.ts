// The pace of bulk beside callers. Priorities divide processes and cores, but not what everybody's
// work goes through at the priority of the service: the worker's own thread, database, storage.
import { availableParallelism } from 'node:os';
import { createPresence } from './presence.ts';
import { createRestingLane, laneClock, type LaneClock } from './resting-lane.ts';

export interface BulkPace {
  /** Somebody waits for a recording. */
  callerSeen(): void;
  /** Does a step of bulk, when it may begin. */
  run<T>(step: () => Promise<T>): Promise<T>;
}

export interface PaceOptions {
  readonly cores?: number;
  readonly clock?: LaneClock;
}

/** Somebody who sends a clip every second or two is there all the time. */
const callersStayMs = 2_000;
/** What takes long waits for processes that have shares of their own. */
const maxRestMs = 2_000;
const callers = 'callers';

/** While callers are there, one step a core at a time, each followed by a rest; else no limit. */
export function createBulkPace({
  cores = availableParallelism(),
  clock = laneClock,
}: PaceOptions = {}): BulkPace {
  const presence = createPresence(callersStayMs);
  const hasCallers = (): boolean => presence.isAnyPresent(clock.now());
  const slots = (): number => (hasCallers() ? cores : Infinity);
  const lane = createRestingLane({ slots, rests: hasCallers, maxRestMs, clock });
  return {
    callerSeen: () => presence.seen(callers, clock.now()),
    run: (step) => lane.run(step),
  };
}
