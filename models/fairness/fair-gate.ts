// A bounded number of slots that organizations share: one that is alone may use all of them and
// gives them up when others come.

export interface FairGate {
  /** The number of slots whose work can still be preempted. */
  readonly max: number;
  /**
   * Acquires a slot. Any organization gets a free one. When none is free, an organization below its
   * share (`max` divided by the number of organizations that hold or request slots) preempts a slot
   * of the organization furthest above its share; all others are rejected.
   * @param preemption absent: the slot cannot be preempted
   * @returns null when the request is rejected
   */
  tryAcquire(organizationId: string, preemption?: Preemption): Slot | null;
}

/** How a slot is preempted, and what that would cost. */
export interface Preemption {
  /**
   * What would be lost, in any unit the caller chooses; the lowest value goes first, then the
   * newest.
   */
  value(): number;
  /** Called once, after the slot has gone to another organization. */
  revoke(): void;
}

export interface Slot {
  /** From now on the slot cannot be preempted, because its work was admitted. */
  readonly pin: () => void;
  /** Releases the slot; has no effect once it is released or preempted. */
  readonly release: () => void;
}

/** Slots of one organization, oldest first; null marks a slot that cannot be preempted. */
type Held = Map<Slot, Preemption | null>;

/**
 * Pinned slots do not block others: an organization below its share is admitted beside them. So at
 * most `max` slots can be preempted at any time, and n organizations hold at most max x (1 + 1/2 +
 * ... + 1/n) slots in all.
 */
export function createFairGate(max: number): FairGate {
  const holders = new Map<string, Held>();
  let occupied = 0;

  const remove = (organizationId: string, slot: Slot): void => {
    const held = holders.get(organizationId);
    if (!held?.delete(slot)) return;
    occupied -= 1;
    if (held.size === 0) holders.delete(organizationId);
  };
  const add = (organizationId: string, preemption: Preemption | null): Slot => {
    const held = holders.get(organizationId) ?? new Map<Slot, Preemption | null>();
    const slot: Slot = {
      pin: () => void (held.has(slot) && held.set(slot, null)),
      release: () => remove(organizationId, slot),
    };
    holders.set(organizationId, held.set(slot, preemption));
    occupied += 1;
    return slot;
  };

  return {
    max,
    tryAcquire(organizationId, preemption) {
      if (occupied >= max) {
        const own = holders.get(organizationId)?.size ?? 0;
        const share = shareOf(max, holders.size + (own === 0 ? 1 : 0));
        if (own >= share) return null;
        const victim = cheapestOverShare(holders, share);
        if (victim) {
          const { slot, preemption: victimPreemption } = victim;
          remove(victim.organizationId, slot);
          victimPreemption.revoke();
        } else if (revocable(holders) >= max) return null;
      }
      return add(organizationId, preemption ?? null);
    },
  };
}

/** The slots that each of so many organizations may hold, at least one. */
export function shareOf(max: number, organizations: number): number {
  return Math.max(1, Math.floor(max / organizations));
}

interface Victim {
  readonly organizationId: string;
  readonly slot: Slot;
  readonly preemption: Preemption;
}

/** The least valuable slot of the organization furthest above its share, if there is one. */
function cheapestOverShare(holders: ReadonlyMap<string, Held>, share: number): Victim | null {
  const over = [...holders].filter(([, held]) => held.size > share);
  over.sort(([, a], [, b]) => b.size - a.size);
  for (const [organizationId, held] of over) {
    const cheapest = cheapestOf(held);
    if (cheapest) return { organizationId, ...cheapest };
  }
  return null;
}

function cheapestOf(held: Held): Pick<Victim, 'slot' | 'preemption'> | null {
  let cheapest: (Pick<Victim, 'slot' | 'preemption'> & { readonly value: number }) | null = null;
  for (const [slot, preemption] of held) {
    if (!preemption) continue;
    const value = preemption.value();
    if (!cheapest || value <= cheapest.value) cheapest = { slot, preemption, value };
  }
  return cheapest;
}

function revocable(holders: ReadonlyMap<string, Held>): number {
  let count = 0;
  for (const held of holders.values())
    for (const preemption of held.values()) if (preemption) count += 1;
  return count;
}
