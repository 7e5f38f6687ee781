// When a live recording is recognised again: often enough to follow the speaker, and never with
// more than a share of a core; pure.

export interface Pace {
  /** When the last attempt ended, in milliseconds of a monotonic clock. */
  readonly endedAtMs: number;
  /** How long it took. */
  readonly tookMs: number;
  /** Samples that had arrived when it started. */
  readonly samples: number;
}

export const initialPace: Pace = { endedAtMs: -Infinity, tookMs: 0, samples: 0 };

/** New audio that is worth an attempt: 0.24 s, about one word. */
const minNewSamples = 3_840;
/** Of the time, at most; the rest belongs to other streams, even if this one is alone. */
const maxShare = 0.4;

/**
 * Milliseconds to wait before the next attempt; null until more audio has arrived.
 * @param samples that have arrived
 */
export function waitMs(pace: Pace, samples: number, nowMs: number): number | null {
  if (samples - pace.samples < minNewSamples) return null;
  const pauseMs = pace.tookMs * (1 / maxShare - 1);
  return Math.max(0, pace.endedAtMs + pauseMs - nowMs);
}
