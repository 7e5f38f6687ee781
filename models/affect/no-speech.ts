// No speech, no score (contract.md): what stands in the place of scores where nobody speaks.
import { emotionLabels, styleLabels } from '../contract/labels.ts';

/** Of every label: a score of 0.018. No head gives all labels the same logit. */
const floorLogit = -4;

/** 15 emotions, then 16 styles. */
export function floorLogits(): readonly number[] {
  return Array<number>(emotionLabels.length + styleLabels.length).fill(floorLogit);
}

/** Whether these stand for a stretch in which nobody speaks: it has no labels. */
export function areFloorLogits(logits: ArrayLike<number>): boolean {
  return Array.from(logits).every((logit) => logit === floorLogit);
}
