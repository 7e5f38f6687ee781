// How fast an organization may send bodies while others send theirs. Priorities divide cores and
// processes, but receiving, hashing and storing a body is work at the priority of the service.
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Presence } from '../../models/fairness/presence.ts';
import { senders } from './senders.ts';

export interface BodyPace {
  /** An organization is about to send a body. */
  begun(organizationId: string): void;
  /**
   * Counts bytes that have arrived.
   * @returns when their sender may go on; null when it may at once
   */
  received(organizationId: string, bytes: number): Promise<void> | null;
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
    begun: (organizationId) => {
      const nowMs = now();
      presence.seen(organizationId, nowMs);
      for (const [id, atMs] of dueMs) if (atMs <= nowMs) dueMs.delete(id);
    },
    received: (organizationId, bytes) => {
      const nowMs = now();
      presence.seen(organizationId, nowMs);
      if (!presence.othersThan(organizationId, nowMs)) {
        dueMs.delete(organizationId);
        return null;
      }
      const atMs = Math.max(nowMs, dueMs.get(organizationId) ?? nowMs) + bytes / bytesPerMs;
      dueMs.set(organizationId, atMs);
      const waitMs = atMs - nowMs - burstMs;
      return waitMs <= 0 ? null : rest(waitMs);
    },
  };
}
