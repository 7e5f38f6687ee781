// What an open socket holds: a place of its worker, shared by organizations, and one of its key.
import { tooBusy, tooManyOfKey } from '../http/key-limits.ts';
import type { Places } from '../../db/places.ts';
import type { FairGate } from '../../models/fairness/fair-gate.ts';

export interface SocketPlaces {
  /** Places of keys, over all processes. */
  readonly places: Places;
  /** Places of this worker. */
  readonly gate: FairGate;
}

export interface SocketPlace {
  /** Aborted when another organization got the worker's place. */
  readonly revoked: AbortSignal;
  /** Audio has come: nobody else gets the place any more. */
  readonly keep: () => void;
  readonly leave: () => void;
}

export interface SocketHolder {
  readonly organizationId: string;
  readonly keyId: string;
  readonly maxConcurrent: number;
}

/** @throws ServiceError 429 rate_limited */
export async function takeSocketPlace(
  { places, gate }: SocketPlaces,
  { organizationId, keyId, maxConcurrent }: SocketHolder,
): Promise<SocketPlace> {
  const revoked = new AbortController();
  // Sockets without audio are worth the same: the newest is lost first.
  const stake = { worth: () => 0, revoke: () => revoked.abort() };
  const ofWorker = gate.enter(organizationId, stake);
  if (!ofWorker) throw tooBusy(`${gate.max} streams are open`);
  try {
    const leaveKey = await places.claim(keyId, maxConcurrent);
    if (!leaveKey) throw tooManyOfKey(maxConcurrent);
    return {
      revoked: revoked.signal,
      keep: () => ofWorker.keep(),
      leave() {
        leaveKey();
        ofWorker.leave();
      },
    };
  } catch (error) {
    ofWorker.leave();
    throw error;
  }
}
