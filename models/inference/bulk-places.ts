// Which slots bulk may take: all while no caller is about, all but one while some are; pure.

/** So long after the last job of a caller one slot is kept for the next. */
export const callersStayMs = 2_000;

export interface Places {
  callerSeen(nowMs: number): void;
  /**
   * A pool of one slot has none to keep.
   * @param slots which of them work on bulk jobs
   * @param nowMs milliseconds of a clock that never goes back
   */
  mayRunBulk(slots: readonly { readonly bulk: boolean }[], nowMs: number): boolean;
}

export function createPlaces(): Places {
  let lastCallerMs = -Infinity;
  return {
    callerSeen: (nowMs) => {
      lastCallerMs = nowMs;
    },
    mayRunBulk: (slots, nowMs) => {
      const free = slots.filter(({ bulk }) => !bulk).length;
      return slots.length === 1 || free > 1 || nowMs - lastCallerMs > callersStayMs;
    },
  };
}
