// Slots for runs and streams that are starting, which organizations share.
import { availableParallelism } from 'node:os';
import { createFairSemaphore } from './fair-semaphore.ts';

/**
 * Claim, start and first step of a run are a few dozen statements and commits, of which PostgreSQL
 * and Temporal do one after the other: whoever starts hundreds of runs would stand before
 * everybody else there, where no share is kept.
 */
const minAlone = 8;
/**
 * Beside others a core each is enough to keep the machine at work, and few enough that who comes
 * finds every step of its run nearly free.
 */
const runsPerCore: PerCore = { alone: 4, besideOthers: 1 };
/** Somebody who sends a clip every few seconds is about all the time. */
const othersStayMs = 5_000;

/**
 * Waits until a run of the organization may start: at once below its share, else in turn.
 * @returns releases the slot; it is released anyway when the run must have started
 */
export type AcquireStart = (organizationId: string) => Promise<() => void>;

/** Slots of one organization. */
export interface PerCore {
  readonly alone: number;
  readonly besideOthers: number;
}

export interface StartGateOptions {
  /** What takes longer has started, and waits for processes that organizations share. */
  readonly slotMs: number;
  readonly perCore?: PerCore;
  readonly cores?: number;
  readonly now?: () => number;
}

export function createStartGate({
  slotMs,
  perCore = runsPerCore,
  cores = availableParallelism(),
  now = () => performance.now(),
}: StartGateOptions): AcquireStart {
  const max = Math.max(minAlone, perCore.alone * cores);
  const besideOthers = { max: perCore.besideOthers * cores, stayMs: othersStayMs, now };
  const semaphore = createFairSemaphore(max, besideOthers);
  return async (organizationId) => {
    const release = await semaphore.acquire(organizationId);
    const timer = setTimeout(release, slotMs);
    return () => {
      clearTimeout(timer);
      release();
    };
  };
}
