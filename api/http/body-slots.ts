// Slots for request bodies that are received at the same time, with a share for every organization.
import { createFairGate, type FairGate } from '../../models/fairness/fair-gate.ts';
import { tooBusy } from './key-limits.ts';
import { senders } from './senders.ts';
import type { BodySlot } from './body.ts';
import { bodyPace } from './body-pace.ts';

export interface BodyGates {
  /** Uploads that are received, and analysed while their callers wait. */
  readonly uploads: FairGate;
  readonly json: FairGate;
  /** Bodies of megabytes, which are kept in memory until they are complete. */
  readonly batches: FairGate;
}

export const maxUploads = 200;
const maxJsonBodies = 200;
export const maxBatchBodies = 16;

export function createBodyGates(): BodyGates {
  return {
    uploads: createFairGate(maxUploads),
    json: createFairGate(maxJsonBodies),
    batches: createFairGate(maxBatchBodies),
  };
}

export interface HeldBodySlot extends BodySlot {
  /** The body is complete, so the slot cannot be preempted any more. */
  pin(): void;
  release(): void;
}

/**
 * The fewer bytes of a body have arrived, the sooner its slot is preempted. @throws 429
 * rate_limited
 */
export function acquireBodySlot(gate: FairGate, organizationId: string): HeldBodySlot {
  const revoked = new AbortController();
  let bytes = 0;
  const revoke = (): void =>
    revoked.abort(tooBusy('The slot of this upload was needed by another organization'));
  const slot = gate.tryAcquire(organizationId, { value: () => bytes, revoke });
  if (!slot)
    throw tooBusy(
      `The service receives at most ${gate.max} bodies at once, and all slots are in use`,
    );
  const seen = (): void => senders.seen(organizationId, performance.now());
  seen();
  return {
    revoked: revoked.signal,
    received: (count) => {
      bytes += count;
      seen();
      return bodyPace.passed(organizationId, count);
    },
    pin: slot.pin,
    release: slot.release,
  };
}
