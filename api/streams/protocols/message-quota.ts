// How many messages a socket may send: each has a cost that is known before it is looked at.

export interface MessageQuota {
  /** Pays for one message. @returns false when it is one too many */
  take(kind: MeteredMessage, bytes: number): boolean;
}

/** Text, pings and pongs cost the same, empty or not: none of them carries the recording on. */
export type MeteredMessage = 'audio' | 'control';

/** Frames of 5 ms and more cost nothing: the length of the recording bounds them. */
export const freeFrameBytes = 160;
/** In frames of almost nothing. */
const burst = 1_024;
const refillPerSecond = 200;
const controlCost = 8;

/**
 * A bucket of tokens. It lets a whole recording pass at once in frames of 160 bytes, live frames
 * of 2.5 ms, and 25 text messages a second; a flood of empty frames ends after 128.
 * @param now milliseconds of a clock that does not jump
 */
export function createMessageQuota(now: () => number): MessageQuota {
  let tokens = burst;
  let at = now();
  return {
    take(kind, bytes) {
      const cost = kind === 'control' ? controlCost : Math.max(0, 1 - bytes / freeFrameBytes);
      if (cost === 0) return true;
      const time = now();
      tokens = Math.min(burst, tokens + ((time - at) / 1_000) * refillPerSecond);
      at = time;
      if (tokens < cost) return false;
      tokens -= cost;
      return true;
    },
  };
}
