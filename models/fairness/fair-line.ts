// Places that organizations share, with a line before them: who finds none waits for one.
import { createFairGate, type Place } from './fair-gate.ts';
import { createFairQueue, type WaitingJob } from './fair-queue.ts';

export interface FairLine {
  /**
   * Waits for a place. Nobody waits for the places of others while it has less than its share of
   * them: it then enters beside them.
   * @returns gives the place back
   * @throws LineTooLong, or the reason of the signal
   */
  enter(organizationId: string, options?: LineOptions): Promise<() => void>;
}

export interface LineOptions {
  readonly signal?: AbortSignal;
  /** Absent: waits for as long as it takes. */
  readonly patienceMs?: number;
}

/** No place became free in time. */
export class LineTooLong extends Error {
  override readonly name = 'LineTooLong';
}

interface Waiting extends WaitingJob {
  readonly admit: (place: Place) => void;
}

/** @param max places; of n organizations never more than max x (1 + 1/2 + ... + 1/n) */
export function createFairLine(max: number): FairLine {
  const gate = createFairGate(max);
  const line = createFairQueue<Waiting>();

  const admitNext = (): void => {
    let place: Place | null = null;
    const enters = ({ organizationId }: Waiting): boolean =>
      (place = gate.enter(organizationId)) !== null;
    for (let next = line.take(enters); next; next = line.take(enters)) next.admit(place!);
  };

  return {
    async enter(organizationId, { signal, patienceMs } = {}) {
      signal?.throwIfAborted();
      const { promise, resolve: admit, reject } = Promise.withResolvers<Place>();
      const waiting = { organizationId, priority: 1, cost: 1, admit };
      const giveUp = (reason: unknown): void => {
        line.remove(waiting);
        reject(reason);
      };
      const abandon = (): void => giveUp(signal?.reason);
      signal?.addEventListener('abort', abandon, { once: true });
      const tooLong = (): void => giveUp(new LineTooLong('no place became free in time'));
      const timer = patienceMs === undefined ? undefined : setTimeout(tooLong, patienceMs);
      line.add(waiting);
      admitNext();
      try {
        const place = await promise;
        return () => {
          place.leave();
          admitNext();
        };
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abandon);
      }
    },
  };
}
