// A bounded number of places that organizations share: whoever is alone may take all of them, and
// gives them back when others come.

export interface FairGate {
  /** Places whose work can still be turned away. */
  readonly max: number;
  /**
   * Takes a place. While one is free anybody gets it. When none is, an organization below its share
   * (`max` by the number of organizations that hold or ask) gets the place of the organization that
   * is furthest above it, and all others are refused.
   * @param preemption absent: the place cannot be taken back
   * @returns null when it is refused
   */
  tryAcquire(organizationId: string, preemption?: Preemption): Slot | null;
}

/** What is at stake in a place that can be taken back. */
export interface Preemption {
  /** What would be lost, in a unit of the caller's: the least is lost first, then the newest. */
  value(): number;
  /** Called once, when the place is already somebody else's. */
  revoke(): void;
}

export interface Slot {
  /** Its work is admitted: from now on the place cannot be taken back. */
  readonly pin: () => void;
  /** Gives the place back; nothing happens when it is gone. */
  readonly release: () => void;
}

/** Places of one organization, oldest first; those without a stake are kept. */
type Held = Map<Slot, Preemption | null>;

/**
 * Kept places do not hold up others: who is below its share enters beside them. So there are never
 * more than `max` places that can be taken back, and of n organizations never more than
 * max x (1 + 1/2 + ... + 1/n) places in all.
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

/** Places of each of so many organizations, at least one. */
export function shareOf(max: number, organizations: number): number {
  return Math.max(1, Math.floor(max / organizations));
}

interface Victim {
  readonly organizationId: string;
  readonly slot: Slot;
  readonly preemption: Preemption;
}

/** The cheapest place of the organization that holds most above the share, if any. */
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
