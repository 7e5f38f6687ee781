// The pace of bulk beside callers. Priorities divide processes and cores, but not what everybody's
// work goes through at the priority of the service: the worker's own thread, database, storage.
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPresence } from './presence.ts';

export interface BulkPace {
  /** Somebody waits for a recording. */
  callerSeen(): void;
  /** Does a step of bulk, when it may begin; the rest after it delays only the next one. */
  run<T>(step: () => Promise<T>): Promise<T>;
}

export interface PaceOptions {
  readonly cores?: number;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
  readonly rest?: (ms: number) => Promise<void>;
}

/** Somebody who sends a clip every second or two is there all the time. */
const callersStayMs = 2_000;
/** Steps take a quarter of the time. */
const restsPerStep = 3;
/** What takes long waits for processes that have shares of their own. */
const maxRestMs = 2_000;
const callers = 'callers';

/** While callers are there, one step a core at a time, each followed by a rest; else no limit. */
export function createBulkPace({
  cores = availableParallelism(),
  now = () => performance.now(),
  rest = (ms) => sleep(ms, undefined, { ref: false }),
}: PaceOptions = {}): BulkPace {
  const presence = createPresence(callersStayMs);
  const waiting: (() => void)[] = [];
  let taken = 0;

  const enterNext = (): void => {
    while (waiting.length > 0 && (taken < cores || !presence.isAnyPresent(now()))) {
      taken += 1;
      waiting.shift()!();
    }
  };
  const leave = (): void => {
    taken -= 1;
    enterNext();
  };
  return {
    callerSeen: () => presence.seen(callers, now()),
    run: async (step) => {
      await new Promise<void>((enter) => {
        waiting.push(enter);
        enterNext();
      });
      const startedAt = now();
      try {
        return await step();
      } finally {
        const ms = Math.min(maxRestMs, restsPerStep * (now() - startedAt));
        if (presence.isAnyPresent(now())) void rest(ms).then(leave);
        else leave();
      }
    },
  };
}
