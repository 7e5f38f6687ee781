// Speech that is covered by a tone or by silence, in samples that arrive in blocks.

export interface CoveredSpan {
  /** Seconds. */
  readonly start: number;
  readonly end: number;
}

export const covers = ['beep', 'silence'] as const;
export type Cover = (typeof covers)[number];

const toneHz = 1_000;
const amplitude = 6_000;
/** Times of words are accurate to about a hop, so that neighbouring sounds are covered too. */
const marginSeconds = 0.08;
/** Without a ramp a tone begins with a click. */
const rampSeconds = 0.005;

export interface CoverOptions {
  readonly spans: readonly CoveredSpan[];
  readonly cover: Cover;
  readonly rate: number;
}

/** Replaces samples of a block in place. @param at index of its first sample in the recording */
export function coverBlock(
  block: Int16Array,
  at: number,
  { spans, cover, rate }: CoverOptions,
): void {
  for (const { start, end } of spans) {
    const first = Math.max(0, Math.floor((start - marginSeconds) * rate));
    const last = Math.ceil((end + marginSeconds) * rate);
    for (let i = Math.max(first, at); i < Math.min(last, at + block.length); i += 1) {
      block[i - at] = cover === 'silence' ? 0 : toneAt(i, { first, last, rate });
    }
  }
}

function toneAt(
  i: number,
  { first, last, rate }: { readonly first: number; readonly last: number; readonly rate: number },
): number {
  const ramp = Math.min(1, (i - first) / (rampSeconds * rate), (last - i) / (rampSeconds * rate));
  return Math.round(amplitude * ramp * Math.sin((2 * Math.PI * toneHz * i) / rate));
}
