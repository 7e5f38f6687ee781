// Which organizations were active recently: a slot is reserved for their next request, as in
// anticipatory scheduling (Iyer and Druschel 2001).

/** Times are milliseconds of a clock that never goes back. */
export interface Presence {
  seen(organizationId: string, nowMs: number): void;
  /** @param withinMs at most the longest time */
  isAnyPresent(nowMs: number, withinMs?: number): boolean;
  othersThan(organizationId: string, nowMs: number, withinMs?: number): boolean;
}

/** @param longestMs an organization that was not seen for this long is forgotten */
export function createPresence(longestMs: number): Presence {
  const seenMs = new Map<string, number>();
  const forget = (nowMs: number): void => {
    for (const [organizationId, atMs] of seenMs) {
      if (nowMs - atMs > longestMs) seenMs.delete(organizationId);
    }
  };
  return {
    seen: (organizationId, nowMs) => {
      seenMs.set(organizationId, nowMs);
    },
    isAnyPresent: (nowMs, withinMs = longestMs) => {
      forget(nowMs);
      return [...seenMs.values()].some((atMs) => nowMs - atMs <= withinMs);
    },
    othersThan: (organizationId, nowMs, withinMs = longestMs) => {
      forget(nowMs);
      return [...seenMs].some(([id, atMs]) => id !== organizationId && nowMs - atMs <= withinMs);
    },
  };
}
