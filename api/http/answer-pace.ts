// How much of the event loop an organization's streamed answers may take. A list, the results of a
// batch or an archive is written in steps while it is sent, as fast as its reader reads: a few of
// them would fill every turn of the loop.
import { availableParallelism } from 'node:os';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Presence } from '../../models/fairness/presence.ts';
import { senders } from './senders.ts';

export interface AnswerPace {
  /** Does a step of an answer once it may begin. */
  run<T>(organizationId: string, step: () => Promise<T>): Promise<T>;
}

export interface AnswerPaceOptions {
  readonly presence?: Presence;
  readonly cores?: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
  readonly rest?: (ms: number) => Promise<void>;
}

/** More at once would not be sooner: the loop does one after the other. */
const stepsPerCore = 2;
/** Beside others one step at a time, for a quarter of the time. */
const restsPerStep = 3;
const maxRestMs = 500;

interface Lane {
  running: number;
  readonly waiting: (() => void)[];
}

/** A lane for each organization; the steps of one begin in the order in which they came. */
export function createAnswerPace({
  presence = senders,
  cores = availableParallelism(),
  now = () => performance.now(),
  rest = (ms) => sleep(ms, undefined, { ref: false }),
}: AnswerPaceOptions = {}): AnswerPace {
  const lanes = new Map<string, Lane>();
  const hasOthers = (organizationId: string): boolean => presence.othersThan(organizationId, now());

  const enterNext = (organizationId: string, lane: Lane): void => {
    const most = hasOthers(organizationId) ? 1 : stepsPerCore * cores;
    while (lane.waiting.length > 0 && lane.running < most) {
      lane.running += 1;
      lane.waiting.shift()!();
    }
    if (lane.running === 0) lanes.delete(organizationId);
  };
  return {
    run: async (organizationId, step) => {
      const lane = lanes.get(organizationId) ?? { running: 0, waiting: [] };
      lanes.set(organizationId, lane);
      await new Promise<void>((enter) => {
        lane.waiting.push(enter);
        enterNext(organizationId, lane);
      });
      const leave = (): void => {
        lane.running -= 1;
        enterNext(organizationId, lane);
      };
      const startedAt = now();
      try {
        return await step();
      } finally {
        const ms = Math.min(maxRestMs, restsPerStep * (now() - startedAt));
        if (hasOthers(organizationId)) void rest(ms).then(leave);
        else leave();
      }
    },
  };
}

/** Of all answers of this process. */
const pace = createAnswerPace();

/** Does a step of an answer, or what an answer needs to ask the database, at that pace. */
export function runStep<T>(organizationId: string, step: () => Promise<T>): Promise<T> {
  return pace.run(organizationId, step);
}

/** The body of an answer, each piece of which is a step. */
export function streamInPace(
  organizationId: string,
  pieces: AsyncIterable<Buffer | string>,
): Readable {
  return Readable.from(inPace(organizationId, pieces), { objectMode: false });
}

async function* inPace<T>(organizationId: string, pieces: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = pieces[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await pace.run(organizationId, () => iterator.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}
