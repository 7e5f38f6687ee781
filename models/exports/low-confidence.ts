// Words that the recogniser is not sure of, as people are shown them; pure.
import type { ExportedResult, ExportedSegment, ExportedWord } from './exported-result.ts';
import { shownWords } from './shown-words.ts';

/** Below even odds a word is more likely wrong than right. */
const evenOdds = 0.5;

/**
 * Whether the word is known to be unsure; a word without a confidence is not. Answers have three
 * decimals, to which a stored confidence, which has more, is rounded before it is compared.
 */
export function isUnsure({ confidence }: Pick<ExportedWord, 'confidence'>): boolean {
  return confidence !== null && Math.round(1_000 * confidence) < 1_000 * evenOdds;
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
    `Most words of this recording are uncertain: ${unsure} of ${words} ` +
    `${unsure === 1 ? 'has' : 'have'} a confidence below ${evenOdds}.`
  );
}

/** A stretch of a segment's text. */
export interface WordPiece {
  readonly text: string;
  /** The word that the stretch is; null for what stands between words. */
  readonly word: ExportedWord | null;
}

/**
 * Splits the text of a segment at its words. They are looked up in their order, because the text
 * may have marks and blanks that they lack; one that is not found gets no piece.
 * @returns pieces that make up the whole text
 */
export function wordPieces(segment: Pick<ExportedSegment, 'text' | 'words'>): readonly WordPiece[] {
  const whole = segment.text ?? '';
  const pieces: WordPiece[] = [];
  let at = 0;
  const restUpTo = (end: number): void => {
    if (end > at) pieces.push({ text: whole.slice(at, end), word: null });
    at = end;
  };
  for (const word of shownWords(segment)) {
    const found = whole.indexOf(word.word, at);
    if (word.word === '' || found < 0) continue;
    restUpTo(found);
    pieces.push({ text: word.word, word });
    at = found + word.word.length;
  }
  restUpTo(whole.length);
  return pieces;
}

/** A stretch of text in which either every word is sure or one is not. */
export interface TextPiece {
  readonly text: string;
  /** The unsure word that the stretch is; null for all other text. */
  readonly unsure: ExportedWord | null;
}

/** The text of a segment, split at its unsure words. */
export function textPieces(segment: ExportedSegment): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  for (const { text, word } of wordPieces(segment)) {
    const last = pieces.at(-1);
    if (word && isUnsure(word)) pieces.push({ text, unsure: word });
    else if (last?.unsure === null) pieces[pieces.length - 1] = { ...last, text: last.text + text };
    else pieces.push({ text, unsure: null });
  }
  return pieces;
}

/** Whether a label says little, by the score that is shown (docs/api.md, scores). */
export function isUnsureLabel({ score }: { readonly score: number }): boolean {
  return Number(score.toFixed(2)) < evenOdds;
}

/** Labels with their scores, largest first as they are: `happy 0.86, excited 0.42(?)`. */
export function scoredLabels(scores: ExportedSegment['emotions']): string {
  return scores
    .map((each) => `${each.label} ${each.score.toFixed(2)}${isUnsureLabel(each) ? '(?)' : ''}`)
    .join(', ');
}
