// The time of a container, in which its sound may begin late or pause: a connection that was lost,
// a microphone that was muted, an empty edit.
import { AV_NOPTS_VALUE } from 'node-av/constants';
import type { FormatContext, Stream } from 'node-av/lib';

/** Less is jitter of timestamps, priming or a packet that was lost. */
const minGapSeconds = 0.1;
/** Clocks that drift, or are rounded, leave no gap between one frame and the next. */
const minStepSeconds = 0.01;
/** A longer one is the error of a clock. */
const maxGapSeconds = 3_600;

export type TimeBase = Pick<Stream['timeBase'], 'num' | 'den'>;

export class Timeline {
  /** Hz; 0 before the first frame. */
  sampleRate = 0;
  /** End of the frame before. */
  #frameEnd: number | null;
  /** End of what has been returned so far; timestamps may have drifted from it. */
  #end: number | null;
  #reachedSeconds = 0;
  #startSeconds: number | null = null;

  /** @param startSeconds of the recording; null is that of its first frame */
  constructor(startSeconds: number | null) {
    this.#frameEnd = startSeconds;
    this.#end = startSeconds;
  }

  /**
   * Where the recording begins in the container's time, to the millisecond; players show no time
   * before 0.
   */
  get startSeconds(): number {
    return Math.max(0, Math.round((this.#startSeconds ?? 0) * 1_000) / 1_000);
  }

  /** The latest time that something in the recording ends. */
  get endSeconds(): number {
    return this.#reachedSeconds;
  }

  reach(endSeconds: number): void {
    this.#reachedSeconds = Math.max(this.#reachedSeconds, endSeconds);
  }

  /**
   * The samples that are missing before a frame; time that goes back is no gap.
   * @param startSeconds null where the container does not say it
   */
  missingBefore(startSeconds: number | null, samples: number): number {
    const start = startSeconds ?? this.#frameEnd ?? 0;
    const gap = start - (this.#end ?? start);
    const isGap = gap > minGapSeconds && start - (this.#frameEnd ?? start) > minStepSeconds;
    const frameSeconds = samples / this.sampleRate;
    this.#frameEnd = start + frameSeconds;
    this.reach(this.#frameEnd);
    this.#end = (isGap ? start : (this.#end ?? start)) + frameSeconds;
    const missing = isGap && gap <= maxGapSeconds ? Math.round(gap * this.sampleRate) : 0;
    this.#startSeconds ??= start - missing / this.sampleRate;
    return missing;
  }
}

/** In seconds; null for no timestamp. */
export function secondsOf(ticks: bigint, { num, den }: TimeBase): number | null {
  return ticks === AV_NOPTS_VALUE ? null : (Number(ticks) * num) / den;
}

/**
 * Where a recording begins: an MP4's edits count from 0, and everything else may be part of a
 * stream that has run for long, whose first sound or picture is the beginning.
 */
export function timelineStart(
  { startTime }: FormatContext,
  { edited }: { readonly edited: boolean },
): number | null {
  return edited ? 0 : secondsOf(startTime, microseconds);
}

const microseconds = { num: 1, den: 1_000_000 };
