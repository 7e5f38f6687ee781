// How fast an organization may send bodies, and documents are sent to who has no key, while others
// send bodies. Priorities divide cores and processes, but receiving, hashing and storing a body is
// work at the priority of the service.
import { availableParallelism } from 'node:os';
import { paceClock, type PaceClock } from '../../models/fairness/pace-clock.ts';
import type { Presence } from '../../models/fairness/presence.ts';
import { createRatePace, type RatePace } from '../../models/fairness/rate-pace.ts';
import { costOf } from './block-cost.ts';
import { senders } from './senders.ts';

/** An hour of MP3 a second on two cores, which analyse a minute in that time. */
const bytesPerSecondOfCore = 8 * 2 ** 20;
/** The largest upload arrives as fast as it is sent; only those after it have a rate. */
const burstBytes = 32 * 2 ** 20;

export interface BodyPaceOptions {
  readonly presence?: Presence;
  readonly cores?: number;
  readonly clock?: PaceClock;
}

/** A rate of bytes, in which each block has its cost. */
export function createBodyPace({
  presence = senders,
  cores = availableParallelism(),
  clock = paceClock,
}: BodyPaceOptions = {}): RatePace {
  const perSecond = bytesPerSecondOfCore * cores;
  const pace = createRatePace({ presence, perSecond, burst: burstBytes, clock });
  return { passed: (name, bytes) => pace.passed(name, costOf(bytes)) };
}

/** Of all bodies of this process. */
export const bodyPace = createBodyPace();
