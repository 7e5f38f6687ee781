// A fair gate with a queue: a request that finds no free slot waits for one.
import { createFairGate, type Slot } from './fair-gate.ts';
import { createFairQueue, type WaitingJob } from './fair-queue.ts';
import type { Presence } from './presence.ts';

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

/** The limit of one organization while others are active, so that they find slots free. */
export interface BesideOthers {
  /** Slots, at most. */
  readonly max: number;
  /** Who is active; whoever requests, acquires or releases a slot is. */
  readonly presence: Presence;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/** No slot became free in time. */
export class AcquireTimeout extends Error {
  override readonly name = 'AcquireTimeout';
}

interface Waiter extends WaitingJob {
  readonly admit: (slot: Slot) => void;
}

/**
 * @param max slots; n organizations hold at most max x (1 + 1/2 + ... + 1/n) in all
 * @param besideOthers absent: only the share limits an organization, which keeps the slots it has
 * until their work ends
 */
export function createFairSemaphore(max: number, besideOthers?: BesideOthers): FairSemaphore {
  const gate = createFairGate(max);
  const queue = createFairQueue<Waiter>();
  const bound = besideOthers ? createBound(besideOthers) : unbound;

  const admitNext = (): void => {
    let slot: Slot | null = null;
    const isGranted = ({ organizationId }: Waiter): boolean =>
      bound.mayHoldMore(organizationId) && (slot = gate.tryAcquire(organizationId)) !== null;
    for (let next = queue.take(isGranted); next; next = queue.take(isGranted)) {
      bound.acquired(next.organizationId);
      next.admit(slot!);
    }
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
      const onTimeout = (): void => cancel(new AcquireTimeout('no slot became free in time'));
      const timer = timeoutMs === undefined ? undefined : setTimeout(onTimeout, timeoutMs);
      bound.requested(organizationId);
      queue.add(waiter);
      admitNext();
      try {
        const slot = await promise;
        let released = false;
        return () => {
          if (released) return;
          released = true;
          slot.release();
          bound.released(organizationId);
          admitNext();
        };
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      }
    },
  };
}

interface Bound {
  requested(organizationId: string): void;
  mayHoldMore(organizationId: string): boolean;
  acquired(organizationId: string): void;
  released(organizationId: string): void;
}

const unbound: Bound = {
  requested: () => {},
  mayHoldMore: () => true,
  acquired: () => {},
  released: () => {},
};

function createBound({ max, presence, now }: BesideOthers): Bound {
  const held = new Map<string, number>();
  const count = (organizationId: string, more: number): void => {
    const slots = (held.get(organizationId) ?? 0) + more;
    if (slots > 0) held.set(organizationId, slots);
    else held.delete(organizationId);
    presence.seen(organizationId, now());
  };
  return {
    requested: (organizationId) => presence.seen(organizationId, now()),
    mayHoldMore: (organizationId) => {
      if ((held.get(organizationId) ?? 0) < max) return true;
      const othersHold = held.size > (held.has(organizationId) ? 1 : 0);
      return !othersHold && !presence.othersThan(organizationId, now());
    },
    acquired: (organizationId) => count(organizationId, 1),
    released: (organizationId) => count(organizationId, -1),
  };
}
