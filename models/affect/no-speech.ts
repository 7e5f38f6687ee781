// No speech, no score (contract.md): which spans contain speech, and the logits of one that does
// not.
import { emotionLabels, styleLabels } from '../contract/labels.ts';

/** The logit of every label, a score of 0.018. No head returns equal logits for all labels. */
const floorLogit = -4;

/** What two models have heard in a span. */
export interface SpeechEvidence {
  /** Logit of the speech check (models/weights/speech-check.md). */
  readonly logit: number;
  /** Log-odds of speech against music and noise (`sound-classes.ts`); 0 if not asked. */
  readonly odds: number;
}

/** A span with a lower logit of the speech check contains no speech. */
export const minSpeechLogit = 1;

/**
 * From here on it contains speech; between the two, if words are recognised in it: of recordings of
 * speech one in 30 has such a logit, of other sounds that pass half (docs/adr/0100).
 */
export const sureSpeechLogit = 3;

/** Below, the other model is asked too (docs/adr/0101). */
export const certainSpeechLogit = 7;

/** With lower odds a span sounds like music or noise, and words are made of these at times. */
const minSpeechOdds = -2.5;
const minUnsureOdds = -4;

/** Between words and the speech that belongs to them. */
export const wordEdgeSeconds = 0.5;

/** What has to be recognised in a span that counts as speech; null for one without speech. */
export type WordsNeeded = 'none' | 'any' | 'sure';

export function wordsNeeded({ logit, odds }: SpeechEvidence): WordsNeeded | null {
  if (logit < minSpeechLogit) return null;
  const isCertain = logit >= certainSpeechLogit;
  if (!isCertain && odds < minUnsureOdds) return 'sure';
  const isDoubtful = logit < sureSpeechLogit || (!isCertain && odds < minSpeechOdds);
  return isDoubtful ? 'any' : 'none';
}

/** 15 emotions, then 16 styles. */
export function floorLogits(): readonly number[] {
  return Array<number>(emotionLabels.length + styleLabels.length).fill(floorLogit);
}

/** Whether these are the logits of a segment without speech, which has no labels. */
export function areFloorLogits(logits: ArrayLike<number>): boolean {
  return Array.from(logits).every((logit) => logit === floorLogit);
}
