// The scores of Resonance-2: window logits are averaged, calibrated, and presented as axes and
// labels; pure.
import type { Calibration } from '../bundles/calibration.ts';
import { areFloorLogits } from './no-speech.ts';
import { sigmoid } from '../asr/sigmoid.ts';
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
  /** The 19 labels that are not poles of an axis, with their scores. */
  readonly unipolar: Readonly<Record<string, number>>;
  /** Highest first; of two opposite labels only the higher one is kept. */
  readonly labels: readonly { readonly label: string; readonly score: number }[];
}

/**
 * @param windows 31 logits of each window. The mean over windows with speech is calibrated. Without
 * speech the scores are those of the floor logits, and without windows the model abstains with
 * scores of 0; in both cases no label is selected.
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
    // A label that never reached the regime's precision has no threshold and is never selected.
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
