// The message quota of a socket: each message has a cost, spent before it has any effect.

interface MessageQuota {
  /** Spends the cost of one message. @returns false beyond the quota */
  take(kind: MeteredMessage, bytes: number): boolean;
}

/** Text, pings and pongs cost the same, empty or not: none of them adds to the recording. */
export type MeteredMessage = 'audio' | 'control';

/** Frames of 5 ms and more cost nothing, because the length of the recording limits them. */
const freeFrameBytes = 160;
/** The cost of an almost empty frame. */
const burst = 1_024;
const refillPerSecond = 200;
const controlCost = 8;
/** Text that is longer is parsed for longer: half a megabyte of it blocks the loop for 50 ms. */
const controlBytes = 32_768;

/**
 * A token bucket. It passes a whole recording at once in frames of 160 bytes, live frames of 2.5
 * ms, and 25 text messages a second; a flood of empty frames ends after 128.
 * @param now milliseconds of a monotonic clock
 */
export function createMessageQuota(now: () => number): MessageQuota {
  let tokens = burst;
  let at = now();
  return {
    take(kind, bytes) {
      const cost = costOf(kind, bytes);
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

function costOf(kind: MeteredMessage, bytes: number): number {
  if (kind === 'audio') return Math.max(0, 1 - bytes / freeFrameBytes);
  return controlCost * Math.max(1, Math.ceil(bytes / controlBytes));
}
