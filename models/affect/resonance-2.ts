// Resonance-2's scoring: window logits averaged, calibrated, told by axes and labels; pure.
import type { Calibration } from '../bundles/manifest.ts';
import { sigmoid } from '../contract/sigmoid.ts';
import { emotionLabels, styleLabels } from '../contract/labels.ts';

export const regimes = ['f1', 'precision'] as const;
export type Regime = (typeof regimes)[number];

/** Signed axes of opposite labels: positive pole, negative pole (contract.md). */
export const axisPoles = [
  ['happy', 'sad'],
  ['proud', 'embarrassed'],
  ['relieved', 'worried'],
  ['energetic', 'tired'],
  ['confident', 'hesitant'],
  ['formal', 'casual'],
] as const;

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
 * @param windows logits of each window, 31 values; their plain mean is calibrated. [] abstains:
 * every value is 0 and no label is selected.
 */
export function scoreWindows(
  windows: readonly (readonly number[])[],
  calibration: Calibration,
  regime: Regime,
): Resonance2Scores {
  const score = (label: string, i: number): number => {
    if (windows.length === 0) return 0;
    const mean = windows.reduce((sum, logits) => sum + logits[i]!, 0) / windows.length;
    const { slope, offset } = calibration.labels[label]!;
    return Math.round(1e6 * sigmoid(slope * mean + offset)) / 1e6;
  };
  const scores = Object.fromEntries(labels.map((label, i) => [label, score(label, i)]));
  const axes = axisPoles.map(([positive, negative]) => [
    `${positive}_${negative}`,
    Math.round((scores[positive]! - scores[negative]!) * 1e6) / 1e6,
  ]);
  const unipolar = labels.filter((label) => !poles.has(label)).map((l) => [l, scores[l]!]);
  return {
    scores,
    axes: Object.fromEntries(axes) as Record<string, number>,
    unipolar: Object.fromEntries(unipolar) as Record<string, number>,
    labels: windows.length === 0 ? [] : select(scores, calibration, regime),
  };
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
  const beaten = new Set<string>(
    axisPoles.flatMap(([a, b]) =>
      clear.includes(a) && clear.includes(b) ? [scores[a]! >= scores[b]! ? b : a] : [],
    ),
  );
  return clear
    .filter((label) => !beaten.has(label))
    .map((label) => ({ label, score: scores[label]! }))
    .toSorted((a, b) => b.score - a.score);
}
