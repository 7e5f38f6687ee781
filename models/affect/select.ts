// Maps logits to what a caller reads: scores, and the labels that reach their thresholds.
import type { AffectWeights } from '../bundles/head-weights.ts';
import type { AffectHeadManifest } from '../bundles/manifest.ts';
import { areFloorLogits } from './no-speech.ts';
import { sigmoid } from '../asr/sigmoid.ts';
import { axisPoles, emotionLabels, styleLabels } from '../contract/labels.ts';

export interface LabelScore {
  readonly label: string;
  /** 0-1 */
  readonly score: number;
}

export interface SelectedLabels {
  /** Highest score first; the best one when none reaches its threshold, and none without speech. */
  readonly emotions: readonly LabelScore[];
  /** Highest score first; may be empty. */
  readonly styles: readonly LabelScore[];
}

export type Thresholds = Pick<AffectHeadManifest, 'emotionThresholds' | 'styleThresholds'>;

/** An affect head's thresholds and classifier weights, besides its graph. */
export interface AffectModel extends Thresholds {
  readonly weights: AffectWeights;
}

/** @param logits 15 emotions, then 16 styles */
export function selectLabels(
  logits: ArrayLike<number>,
  { emotionThresholds, styleThresholds }: Thresholds,
): SelectedLabels {
  if (areFloorLogits(logits)) return { emotions: [], styles: [] };
  const emotions = ranked(emotionLabels, logits, 0);
  const styles = ranked(styleLabels, logits, emotionLabels.length);
  const clear = emotions.filter(({ label, score }) => score >= emotionThresholds[label]);
  return {
    emotions: clear.length > 0 ? withoutOpposites(clear) : emotions.slice(0, 1),
    styles: withoutOpposites(styles.filter(({ label, score }) => score >= styleThresholds[label])),
  };
}

/** Keeps the higher one of two opposite labels. @param selected highest first */
function withoutOpposites(selected: readonly LabelScore[]): readonly LabelScore[] {
  const rank = new Map(selected.map(({ label }, i) => [label, i]));
  const suppressed = new Set(
    axisPoles.flatMap(([a, b]) => {
      const [first, second] = [rank.get(a), rank.get(b)];
      return first === undefined || second === undefined ? [] : [first < second ? b : a];
    }),
  );
  return selected.filter(({ label }) => !suppressed.has(label as never));
}

function ranked<L extends string>(
  labels: readonly L[],
  logits: ArrayLike<number>,
  offset: number,
): { readonly label: L; readonly score: number }[] {
  return labels
    .map((label, i) => ({ label, score: sigmoid(logits[offset + i]!) }))
    .toSorted((a, b) => b.score - a.score);
}

/** Mean of rows weighted by seconds; all weights are equal when every duration is zero. */
export function meanOverTime(
  parts: readonly { readonly values: ArrayLike<number>; readonly seconds: number }[],
): readonly number[] {
  const total = parts.reduce((sum, part) => sum + part.seconds, 0);
  const weight = (seconds: number): number => (total > 0 ? seconds / total : 1 / parts.length);
  return Array.from({ length: parts[0]!.values.length }, (_, column) =>
    parts.reduce((sum, { values, seconds }) => sum + weight(seconds) * values[column]!, 0),
  );
}
