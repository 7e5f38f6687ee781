// A bounded number of places that organizations share: whoever is alone may take all of them, and
// gives them back when others come.

export interface FairGate {
  /** Places whose work can still be turned away. */
  readonly max: number;
  /**
   * Takes a place. While one is free anybody gets it. When none is, an organization below its share
   * (`max` by the number of organizations that hold or ask) gets the place of the organization that
   * is furthest above it, and all others are refused.
   * @param stake absent: the place cannot be taken back
   * @returns null when it is refused
   */
  enter(organizationId: string, stake?: Stake): Place | null;
}

/** What is at stake in a place that can be taken back. */
export interface Stake {
  /** What would be lost, in a unit of the caller's: the least is lost first, then the newest. */
  worth(): number;
  /** Called once, when the place is already somebody else's. */
  revoke(): void;
}

export interface Place {
  /** Its work is admitted: from now on the place cannot be taken back. */
  readonly keep: () => void;
  /** Gives the place back; nothing happens when it is gone. */
  readonly leave: () => void;
}

/** Places of one organization, oldest first; those without a stake are kept. */
type Held = Map<Place, Stake | null>;

/**
 * Kept places do not hold up others: who is below its share enters beside them. So there are never
 * more than `max` places that can be taken back, and of n organizations never more than
 * max x (1 + 1/2 + ... + 1/n) places in all.
 */
export function createFairGate(max: number): FairGate {
  const holders = new Map<string, Held>();
  let inside = 0;

  const remove = (organizationId: string, place: Place): void => {
    const held = holders.get(organizationId);
    if (!held?.delete(place)) return;
    inside -= 1;
    if (held.size === 0) holders.delete(organizationId);
  };
  const add = (organizationId: string, stake: Stake | null): Place => {
    const held = holders.get(organizationId) ?? new Map<Place, Stake | null>();
    const place: Place = {
      keep: () => void (held.has(place) && held.set(place, null)),
      leave: () => remove(organizationId, place),
    };
    holders.set(organizationId, held.set(place, stake));
    inside += 1;
    return place;
  };

  return {
    max,
    enter(organizationId, stake) {
      if (inside >= max) {
        const own = holders.get(organizationId)?.size ?? 0;
        const share = shareOf(max, holders.size + (own === 0 ? 1 : 0));
        if (own >= share) return null;
        const lost = mostOver(holders, share);
        if (lost) {
          const { place, stake: staked } = lost;
          remove(lost.organizationId, place);
          staked.revoke();
        } else if (revocable(holders) >= max) return null;
      }
      return add(organizationId, stake ?? null);
    },
  };
}

/** Places of each of so many organizations, at least one. */
export function shareOf(max: number, organizations: number): number {
  return Math.max(1, Math.floor(max / organizations));
}

interface Lost {
  readonly organizationId: string;
  readonly place: Place;
  readonly stake: Stake;
}

/** The cheapest place of the organization that holds most above the share, if any. */
function mostOver(holders: ReadonlyMap<string, Held>, share: number): Lost | null {
  const over = [...holders].filter(([, held]) => held.size > share);
  over.sort(([, a], [, b]) => b.size - a.size);
  for (const [organizationId, held] of over) {
    const cheapest = cheapestOf(held);
    if (cheapest) return { organizationId, ...cheapest };
  }
  return null;
}

function cheapestOf(held: Held): Pick<Lost, 'place' | 'stake'> | null {
  let cheapest: (Pick<Lost, 'place' | 'stake'> & { readonly worth: number }) | null = null;
  for (const [place, stake] of held) {
    if (!stake) continue;
    const worth = stake.worth();
    if (!cheapest || worth <= cheapest.worth) cheapest = { place, stake, worth };
  }
  return cheapest;
}

function revocable(holders: ReadonlyMap<string, Held>): number {
  let count = 0;
  for (const held of holders.values()) for (const stake of held.values()) if (stake) count += 1;
  return count;
}
