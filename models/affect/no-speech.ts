// No speech, no score (contract.md): the logits of a segment without speech.
import { emotionLabels, styleLabels } from '../contract/labels.ts';

/** The logit of every label, a score of 0.018. No head returns equal logits for all labels. */
const floorLogit = -4;

/**
 * A span with a lower logit of the speech check contains no speech
 * (models/weights/speech-check.md).
 */
export const minSpeechLogit = 1;

/**
 * From here on it contains speech; between the two, if words are recognised in it: of recordings of
 * speech one in 30 has such a logit, of other sounds that pass half (docs/adr/0100).
 */
export const sureSpeechLogit = 3;

/** Between words and the speech that belongs to them. */
export const wordEdgeSeconds = 0.5;

/** 15 emotions, then 16 styles. */
export function floorLogits(): readonly number[] {
  return Array<number>(emotionLabels.length + styleLabels.length).fill(floorLogit);
}

/** Whether these are the logits of a segment without speech, which has no labels. */
export function areFloorLogits(logits: ArrayLike<number>): boolean {
  return Array.from(logits).every((logit) => logit === floorLogit);
}
