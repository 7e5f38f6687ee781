// Regions of speech from speech probabilities: hysteresis, then minimum lengths.
import { activeRuns, bridgeGaps, type HopRun } from './active-runs.ts';
import { hopSeconds, tailHops } from './hops.ts';

/** Hops of 32 ms with speech. */
export type SpeechRegion = HopRun;

/** Silero's own defaults: on at 0.5, off 0.15 lower, 250 ms of speech, 100 ms of silence. */
export const speechThresholds = { on: 0.5, off: 0.35 };
const minSpeechHops = 6;
const minSilenceHops = 3;

/**
 * Regions in order, disjoint. A region opens at 0.5 and closes below 0.35. Silences of less than
 * about 100 ms are bridged, and speech of less than about 190 ms is dropped unless the whole
 * recording is that short.
 * @param probabilities one per hop
 */
export function findSpeechRegions(probabilities: Float32Array): readonly SpeechRegion[] {
  const { length } = probabilities;
  const runs = activeRuns(length, (hop) => probabilities[hop]!, speechThresholds);
  const minHops = Math.min(minSpeechHops, Math.ceil(length / 2));
  return bridgeGaps(runs, minSilenceHops).filter(
    ({ startHop, endHop }) => endHop - startHop >= minHops,
  );
}

/** What is accepted where a short recording has no such region: from the first to the last ... */
const faintThresholds = { on: 0.2, off: 0.1 };
/** ... of runs with so little between them, if they are as long as this together. */
const maxFaintGapHops = 10;
const minFaintHops = 4;
/** A longer recording gives voice activity time to settle, and a sound more places to pass. */
const maxFaintHops = Math.round(2 / hopSeconds) + tailHops;

/** Where there may be speech. */
export interface HeardSpeech {
  readonly regions: readonly SpeechRegion[];
  /** Voice activity is unsure: it is speech if the speech check says so as well. */
  readonly isFaint: boolean;
}

/**
 * Regions of a complete recording: of a letter or a digit of half a second, with nothing before it,
 * voice activity finds little.
 * @param probabilities one per hop, with those of the silence behind
 */
export function hearSpeech(probabilities: Float32Array): HeardSpeech {
  const regions = findSpeechRegions(probabilities);
  const { length } = probabilities;
  if (regions.length > 0 || length > maxFaintHops) return { regions, isFaint: false };
  const runs = activeRuns(length, (hop) => probabilities[hop]!, faintThresholds);
  const faint = bridgeGaps(runs, maxFaintGapHops + 1).filter(
    ({ startHop, endHop }) => endHop - startHop >= minFaintHops,
  );
  return { regions: faint, isFaint: faint.length > 0 };
}

/** Less speech than this is the edge of a neighbouring segment. */
export const minSpeechSeconds = 0.15;

/** The hop in `[from, to]` with the lowest probability; of several the last. */
export function quietestHop(
  probabilities: Float32Array,
  { from, to }: { readonly from: number; readonly to: number },
): number {
  let quietest = to;
  for (let hop = to; hop >= from; hop -= 1) {
    if (probabilities[hop]! < probabilities[quietest]!) quietest = hop;
  }
  return quietest;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** @param span seconds on the clock of the regions */
export function speechSecondsIn(regions: readonly SpeechRegion[], { start, end }: Span): number {
  return regions.reduce((sum, { startHop, endHop }) => {
    const overlap = Math.min(end, endHop * hopSeconds) - Math.max(start, startHop * hopSeconds);
    return sum + Math.max(0, overlap);
  }, 0);
}

/**
 * Whether a span contains speech: at least this much, or half of a span that is shorter than twice
 * that.
 * @param span seconds on the clock of the regions
 */
export function holdsSpeech(regions: readonly SpeechRegion[], span: Span): boolean {
  const seconds = speechSecondsIn(regions, span);
  return seconds > 0 && seconds >= Math.min(minSpeechSeconds, (span.end - span.start) / 2);
}
