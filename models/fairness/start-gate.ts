// Slots for runs and streams that are starting, which organizations share.
import { availableParallelism } from 'node:os';
import { createFairSemaphore } from './fair-semaphore.ts';
import { createPresence, type Presence } from './presence.ts';

/**
 * Claim, start and first step of a run take a few dozen statements and commits, which PostgreSQL
 * and Temporal execute in order of arrival: without this gate an organization that starts hundreds
 * of runs would delay all others there.
 */
const minAlone = 8;
/**
 * While others are active one run per core keeps the machine busy, and is few enough that another
 * organization's run hardly waits.
 */
const runsPerCore: PerCore = { alone: 4, besideOthers: 1 };
/** A client that sends a clip every few seconds counts as active throughout. */
export const othersStayMs = 5_000;

/**
 * Waits until a run of the organization may start: at once below its share, else in turn.
 * @param timeoutMs absent: without a limit
 * @returns releases the slot; it is released anyway when the run must have started
 * @throws AcquireTimeout
 */
export type AcquireStart = (organizationId: string, timeoutMs?: number) => Promise<() => void>;

/** Slots of one organization. */
export interface PerCore {
  readonly alone: number;
  readonly besideOthers: number;
}

export interface StartGateOptions {
  /** A run that takes longer has started, and waits for processes that organizations share. */
  readonly slotMs: number;
  readonly perCore?: PerCore;
  /** Of gates that count each other's organizations as active; absent: this gate's own. */
  readonly presence?: Presence;
  readonly cores?: number;
  readonly now?: () => number;
}

export function createStartGate({
  slotMs,
  perCore = runsPerCore,
  presence = createPresence(othersStayMs),
  cores = availableParallelism(),
  now = () => performance.now(),
}: StartGateOptions): AcquireStart {
  const max = Math.max(minAlone, perCore.alone * cores);
  const besideOthers = { max: perCore.besideOthers * cores, presence, now };
  const semaphore = createFairSemaphore(max, besideOthers);
  return async (organizationId, timeoutMs) => {
    const limit = timeoutMs === undefined ? {} : { timeoutMs };
    const release = await semaphore.acquire(organizationId, limit);
    const timer = setTimeout(release, slotMs);
    return () => {
      clearTimeout(timer);
      release();
    };
  };
}
