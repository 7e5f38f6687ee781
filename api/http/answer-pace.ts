// How much of the event loop an organization's streamed answers may take. A list, the results of a
// batch or an archive is written in steps while it is sent, as fast as its reader reads: a few of
// them would fill every turn of the loop.
import { availableParallelism } from 'node:os';
import { Readable } from 'node:stream';
import { paceClock, type PaceClock } from '../../models/fairness/pace-clock.ts';
import type { Presence } from '../../models/fairness/presence.ts';
import { createRestingLane, type RestingLane } from '../../models/fairness/resting-lane.ts';
import { senders } from './senders.ts';

export interface AnswerPace {
  /** Does a step of an answer once it may begin. */
  run<T>(organizationId: string, step: () => Promise<T>): Promise<T>;
}

export interface AnswerPaceOptions {
  readonly presence?: Presence;
  readonly cores?: number;
  readonly clock?: PaceClock;
}

/** More at once would not be sooner: the loop does one after the other. */
const stepsPerCore = 2;
const maxRestMs = 500;

/** A lane for each organization: beside others it has one step at a time, followed by a rest. */
export function createAnswerPace({
  presence = senders,
  cores = availableParallelism(),
  clock = paceClock,
}: AnswerPaceOptions = {}): AnswerPace {
  const lanes = new Map<string, RestingLane>();
  const openLane = (organizationId: string): RestingLane => {
    const rests = (): boolean => presence.othersThan(organizationId, clock.now());
    const slots = (): number => (rests() ? 1 : stepsPerCore * cores);
    const emptied = (): void => void lanes.delete(organizationId);
    const lane = createRestingLane({ slots, rests, maxRestMs, emptied, clock });
    lanes.set(organizationId, lane);
    return lane;
  };
  return {
    run: (organizationId, step) =>
      (lanes.get(organizationId) ?? openLane(organizationId)).run(step),
  };
}

/** Of all answers of this process. */
const pace = createAnswerPace();

/** Does a step of an answer, or what an answer needs to ask the database, at that pace. */
export function runStep<T>(organizationId: string, step: () => Promise<T>): Promise<T> {
  return pace.run(organizationId, step);
}

/**
 * The body of an answer, each piece of which is a step. The first is awaited, so that an error in
 * it still becomes an error answer.
 */
export async function streamInPace(
  organizationId: string,
  pieces: AsyncIterable<Buffer | string>,
): Promise<Readable> {
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await pace.run(organizationId, () => iterator.next());
  return Readable.from(inPace(organizationId, first, iterator), { objectMode: false });
}

async function* inPace<T>(
  organizationId: string,
  first: IteratorResult<T, unknown>,
  iterator: AsyncIterator<T>,
): AsyncGenerator<T> {
  try {
    for (let next = first; !next.done;) {
      yield next.value;
      next = await pace.run(organizationId, () => iterator.next());
    }
  } finally {
    await iterator.return?.();
  }
}
