// Places for bodies that are taken in at once, a share of them for every organization.
import { createFairGate, type FairGate } from '../../models/fairness/fair-gate.ts';
import { tooBusy } from './key-limits.ts';
import type { BodyPlace } from './body.ts';

export interface BodyGates {
  /** Uploads: received, and analysed while their callers wait. */
  readonly uploads: FairGate;
  readonly json: FairGate;
  /** Bodies of megabytes, which are held until they are whole. */
  readonly batches: FairGate;
}

const maxUploads = 200;
const maxJsonBodies = 200;
const maxBatchBodies = 16;

export function createBodyGates(): BodyGates {
  return {
    uploads: createFairGate(maxUploads),
    json: createFairGate(maxJsonBodies),
    batches: createFairGate(maxBatchBodies),
  };
}

export interface HeldPlace extends BodyPlace {
  /** The body is whole: the place is not taken away any more. */
  keep(): void;
  leave(): void;
}

/** The less of a body has come, the sooner it is given up. @throws 429 rate_limited */
export function takePlace(gate: FairGate, organizationId: string): HeldPlace {
  const revoked = new AbortController();
  let bytes = 0;
  const revoke = (): void =>
    revoked.abort(tooBusy('Other callers needed the place that this body was received in'));
  const place = gate.enter(organizationId, { worth: () => bytes, revoke });
  if (!place) throw tooBusy(`The service takes ${gate.max} bodies at once, and all are taken`);
  return {
    revoked: revoked.signal,
    received: (count) => {
      bytes += count;
    },
    keep: place.keep,
    leave: place.leave,
  };
}
