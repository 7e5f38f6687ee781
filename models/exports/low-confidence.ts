// Words that the recogniser is not sure of, as people are shown them; pure.
import type { ExportedResult, ExportedSegment, ExportedWord } from './result.ts';
import { shownWords } from './shown-words.ts';

/** Below even odds a word is more likely wrong than right. */
const evenOdds = 0.5;

/** Whether the word is known to be unsure; a word without a confidence is not. */
export function isUnsure({ confidence }: Pick<ExportedWord, 'confidence'>): boolean {
  return confidence !== null && confidence < evenOdds;
}

export interface WordCounts {
  readonly words: number;
  readonly unsure: number;
}

export function countUnsure({ segments }: Pick<ExportedResult, 'segments'>): WordCounts {
  const words = segments.flatMap((segment) => segment.words);
  return { words: words.length, unsure: words.filter(isUnsure).length };
}

/** One sentence for the top of a transcript of which most words are unsure; otherwise null. */
export function unsureNote(result: Pick<ExportedResult, 'segments'>): string | null {
  const { words, unsure } = countUnsure(result);
  if (2 * unsure <= words) return null;
  return (
    `Most words of this recording are uncertain: ${unsure} of ${words} have a confidence below ` +
    `${evenOdds}.`
  );
}

/** A stretch of a segment's text. */
export interface TextPiece {
  readonly text: string;
  /** The unsure word that the stretch is; null for all other text. */
  readonly unsure: ExportedWord | null;
}

/**
 * Splits the text of a segment at its unsure words. The words are looked up in their order, because
 * the text may have marks and blanks that they lack; one that is not found stays unmarked.
 * @returns pieces that make up the whole text
 */
export function textPieces(segment: ExportedSegment): readonly TextPiece[] {
  const whole = segment.text ?? '';
  const words = shownWords(segment);
  const pieces: TextPiece[] = [];
  let written = 0;
  let at = 0;
  const plainUpTo = (end: number): void => {
    if (end > written) pieces.push({ text: whole.slice(written, end), unsure: null });
    written = end;
  };
  for (const each of words) {
    const found = whole.indexOf(each.word, at);
    if (each.word === '' || found < 0) continue;
    at = found + each.word.length;
    if (!isUnsure(each)) continue;
    plainUpTo(found);
    pieces.push({ text: each.word, unsure: each });
    written = at;
  }
  plainUpTo(whole.length);
  return pieces;
}

/** Labels with their scores, largest first as they are: `happy 0.86, excited 0.52`. */
export function scoredLabels(scores: ExportedSegment['emotions']): string {
  return scores.map(({ label, score }) => `${label} ${score.toFixed(2)}`).join(', ');
}
