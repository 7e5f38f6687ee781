// How fast an organization may send bodies, and documents are sent to who has no key, while others
// send bodies. Priorities divide cores and processes, but receiving, hashing and storing a body is
// work at the priority of the service.
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Presence } from '../../models/fairness/presence.ts';
import { senders } from './senders.ts';

export interface BodyPace {
  /**
   * Counts bytes that have arrived, or that are about to be sent.
   * @param name of the organization, or of what all who have no key share
   * @returns when the next may pass; null when they may at once
   */
  passed(name: string, bytes: number): Promise<void> | null;
}

export interface BodyPaceOptions {
  readonly presence?: Presence;
  readonly cores?: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
  readonly rest?: (ms: number) => Promise<void>;
}

/** An hour of MP3 a second on two cores, which analyse a minute in that time. */
const bytesPerSecondOfCore = 8 * 2 ** 20;
/** The largest upload arrives as fast as it is sent; only those after it have a rate. */
const burstBytes = 32 * 2 ** 20;

/** The generic cell rate algorithm (ITU-T I.371), per organization; without others no limit. */
export function createBodyPace({
  presence = senders,
  cores = availableParallelism(),
  now = () => performance.now(),
  rest = (ms) => sleep(ms, undefined, { ref: false }),
}: BodyPaceOptions = {}): BodyPace {
  const bytesPerMs = (bytesPerSecondOfCore * cores) / 1_000;
  const burstMs = burstBytes / bytesPerMs;
  /** When what an organization has sent would have arrived at its rate. */
  const dueMs = new Map<string, number>();

  return {
    passed: (name, bytes) => {
      const nowMs = now();
      for (const [other, atMs] of dueMs) if (atMs <= nowMs) dueMs.delete(other);
      if (!presence.othersThan(name, nowMs)) {
        dueMs.delete(name);
        return null;
      }
      const atMs = (dueMs.get(name) ?? nowMs) + bytes / bytesPerMs;
      dueMs.set(name, atMs);
      const waitMs = atMs - nowMs - burstMs;
      return waitMs <= 0 ? null : rest(waitMs);
    },
  };
}

/** Of all bodies of this process. */
export const bodyPace = createBodyPace();
