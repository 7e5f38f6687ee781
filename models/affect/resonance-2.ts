// Resonance-2's scoring: window logits averaged, calibrated, told by axes and labels; pure.
import type { Calibration } from '../bundles/manifest.ts';
import { areFloorLogits } from './no-speech.ts';
import { sigmoid } from '../contract/sigmoid.ts';
import { axisPoles, emotionLabels, styleLabels } from '../contract/labels.ts';

export const regimes = ['f1', 'precision'] as const;
export type Regime = (typeof regimes)[number];

const labels = [...emotionLabels, ...styleLabels];
const poles: ReadonlySet<string> = new Set(axisPoles.flat());

export interface Resonance2Scores {
  /** All 31 labels, 0-1. */
  readonly scores: Readonly<Record<string, number>>;
  /** Six axes, -1..1. */
  readonly axes: Readonly<Record<string, number>>;
  /** The 19 labels that are no pole, equal to their scores. */
  readonly unipolar: Readonly<Record<string, number>>;
  /** Highest first; of two opposites the higher stays. */
  readonly labels: readonly { readonly label: string; readonly score: number }[];
}

/**
 * @param windows logits of each window, 31 values; the plain mean of those with speech is
 * calibrated. Without any the scores are the floor, and [] abstains: every value is 0. Either way
 * no label is selected.
 */
export function scoreWindows(
  windows: readonly (readonly number[])[],
  calibration: Calibration,
  regime: Regime,
): Resonance2Scores {
  const spoken = windows.filter((logits) => !areFloorLogits(logits));
  const score = (label: string, i: number): number => {
    if (windows.length === 0) return 0;
    if (spoken.length === 0) return sixDecimals(sigmoid(windows[0]![i]!));
    const mean = spoken.reduce((sum, logits) => sum + logits[i]!, 0) / spoken.length;
    const { slope, offset } = calibration.labels[label]!;
    return sixDecimals(sigmoid(slope * mean + offset));
  };
  const scores = Object.fromEntries(labels.map((label, i) => [label, score(label, i)]));
  const axes = axisPoles.map(([positive, negative]) => [
    `${positive}_${negative}`,
    sixDecimals(scores[positive]! - scores[negative]!),
  ]);
  const unipolar = labels.filter((label) => !poles.has(label)).map((l) => [l, scores[l]!]);
  return {
    scores,
    axes: Object.fromEntries(axes) as Record<string, number>,
    unipolar: Object.fromEntries(unipolar) as Record<string, number>,
    labels: spoken.length === 0 ? [] : select(scores, calibration, regime),
  };
}

function sixDecimals(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

function select(
  scores: Readonly<Record<string, number>>,
  calibration: Calibration,
  regime: Regime,
): Resonance2Scores['labels'] {
  const clear = labels.filter((label) => {
    // A label that never reached the regime's precision is never selected.
    const threshold = calibration.labels[label]![regime];
    return threshold !== null && scores[label]! >= threshold;
  });
  const suppressed = new Set<string>(
    axisPoles.flatMap(([a, b]) =>
      clear.includes(a) && clear.includes(b) ? [scores[a]! >= scores[b]! ? b : a] : [],
    ),
  );
  return clear
    .filter((label) => !suppressed.has(label))
    .map((label) => ({ label, score: scores[label]! }))
    .toSorted((a, b) => b.score - a.score);
}
