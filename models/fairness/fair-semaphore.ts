// A fair gate with a queue: who finds no free slot waits for one.
import { createFairGate, type Slot } from './fair-gate.ts';
import { createFairQueue, type WaitingJob } from './fair-queue.ts';

export interface FairSemaphore {
  /**
   * Waits for a slot. An organization below its share never waits for the slots of others; it is
   * admitted beside them.
   * @returns releases the slot
   * @throws AcquireTimeout, or the signal's reason
   */
  acquire(organizationId: string, options?: AcquireOptions): Promise<() => void>;
}

export interface AcquireOptions {
  readonly signal?: AbortSignal;
  /** Absent: waits without a limit. */
  readonly timeoutMs?: number;
}

/** No slot became free in time. */
export class AcquireTimeout extends Error {
  override readonly name = 'AcquireTimeout';
}

interface Waiter extends WaitingJob {
  readonly admit: (slot: Slot) => void;
}

/** @param max slots; n organizations hold at most max x (1 + 1/2 + ... + 1/n) in all */
export function createFairSemaphore(max: number): FairSemaphore {
  const gate = createFairGate(max);
  const queue = createFairQueue<Waiter>();

  const admitNext = (): void => {
    let slot: Slot | null = null;
    const isGranted = ({ organizationId }: Waiter): boolean =>
      (slot = gate.tryAcquire(organizationId)) !== null;
    for (let next = queue.take(isGranted); next; next = queue.take(isGranted)) next.admit(slot!);
  };

  return {
    async acquire(organizationId, { signal, timeoutMs } = {}) {
      signal?.throwIfAborted();
      const { promise, resolve: admit, reject } = Promise.withResolvers<Slot>();
      const waiter = { organizationId, priority: 1, cost: 1, admit };
      const cancel = (reason: unknown): void => {
        queue.remove(waiter);
        reject(reason);
      };
      const onAbort = (): void => cancel(signal?.reason);
      signal?.addEventListener('abort', onAbort, { once: true });
      const onTimeout = (): void => cancel(new AcquireTimeout('no place became free in time'));
      const timer = timeoutMs === undefined ? undefined : setTimeout(onTimeout, timeoutMs);
      queue.add(waiter);
      admitNext();
      try {
        const slot = await promise;
        return () => {
          slot.release();
          admitNext();
        };
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      }
    },
  };
}
