// What an open socket holds: a slot of its worker, shared by organizations, and a lease of its key.
import { tooBusy, tooManyOfKey } from '../http/key-limits.ts';
import type { KeyLeases } from '../../db/key-leases.ts';
import type { FairGate } from '../../models/fairness/fair-gate.ts';

export interface SocketSlots {
  /** Leases of keys, over all processes. */
  readonly leases: KeyLeases;
  /** Slots of this worker. */
  readonly gate: FairGate;
}

export interface SocketSlot {
  /** Aborted when another organization preempts the worker's slot. */
  readonly revoked: AbortSignal;
  /** Called when audio has arrived: from then on the slot cannot be preempted. */
  readonly pin: () => void;
  readonly release: () => void;
}

export interface SocketHolder {
  readonly organizationId: string;
  readonly keyId: string;
  readonly maxConcurrent: number;
}

/** @throws ServiceError 429 rate_limited */
export async function acquireSocketSlot(
  { leases, gate }: SocketSlots,
  { organizationId, keyId, maxConcurrent }: SocketHolder,
): Promise<SocketSlot> {
  const revoked = new AbortController();
  // Sockets without audio are worth the same, so the newest is preempted first.
  const preemption = { value: () => 0, revoke: () => revoked.abort() };
  const workerSlot = gate.tryAcquire(organizationId, preemption);
  if (!workerSlot)
    throw tooBusy(`The service keeps at most ${gate.max} streams open, and all slots are in use`);
  try {
    const releaseLease = await leases.acquire(keyId, maxConcurrent);
    if (!releaseLease) throw tooManyOfKey(maxConcurrent);
    return {
      revoked: revoked.signal,
      pin: () => workerSlot.pin(),
      release() {
        releaseLease();
        workerSlot.release();
      },
    };
  } catch (error) {
    workerSlot.release();
    throw error;
  }
}
