// How many requests of a key are looked at at once, before anybody knows whether they may do
// anything: what is refused costs as much as what is not.
import { createStartGate } from '../../models/fairness/start-gate.ts';
import { tooBusy } from './key-limits.ts';
import { ServiceError } from '../../models/contract/errors.ts';

export interface RequestTurns {
  /**
   * Does the work of a request in turn. Beside others a key has a few turns, alone many more; a
   * request keeps its turn until it is answered, but no longer than it takes to look at it. What is
   * 429 keeps it so long in any case: who is refused and comes again at once is heard a few times
   * a second, and the rest of it waits.
   * @param caller names the caller, before it is known who it is
   * @throws ServiceError 429 rate_limited when very many of the caller wait, or what `work` throws
   */
  run<T>(caller: string, work: () => Promise<T>): Promise<T>;
}

/** What takes longer waits for something else, which has shares of its own. */
const slotMs = 250;
const perCore = { alone: 16, besideOthers: 2 } as const;
/** Fewer than the connections of an address: the rest is refused without a look. */
const maxWaiting = 768;

/** Of this process alone. */
export function createRequestTurns(enter = createStartGate({ slotMs, perCore })): RequestTurns {
  const waiting = new Map<string, number>();
  const wait = async (caller: string): Promise<() => void> => {
    const before = waiting.get(caller) ?? 0;
    if (before >= maxWaiting) throw tooBusy(`${maxWaiting} requests of this key wait`);
    waiting.set(caller, before + 1);
    try {
      return await enter(caller);
    } finally {
      const left = waiting.get(caller)! - 1;
      if (left > 0) waiting.set(caller, left);
      else waiting.delete(caller);
    }
  };
  return {
    run: async (caller, work) => {
      const leave = await wait(caller);
      let rests = false;
      try {
        return await work();
      } catch (error) {
        rests = error instanceof ServiceError && error.status === 429;
        throw error;
      } finally {
        if (!rests) leave();
      }
    },
  };
}
