// Digits that one speaker says one after the other, with pauses and small words in between.
import { announces } from './context.ts';
import type { ReadWord } from './kinds.ts';
import { allWords, wordIn } from './languages/languages.ts';
import { asksForOther } from './questions.ts';
import type { Token } from './tokens.ts';

export interface DigitRun {
  readonly digits: string;
  readonly isInternational: boolean;
  /** Tokens with digits, in order. */
  readonly tokens: readonly Token[];
  /** Seconds, of its first word. */
  readonly start: number;
}

const fillingWords = allWords(({ fillers }) => fillers);
/** "And" in Dutch; in Spanish and French it is "in": "300 en 2019". */
const isOwnFilling = wordIn(({ ownFillers }) => ownFillers ?? '');
const plusWords = allWords(({ plusSigns }) => plusSigns);
const maxFillers = 3;
/** Somebody looks for a card, or waits until the other has written down a group. */
export const maxPauseSeconds = 20;

/** @param tokens of one speaker, in order */
export function digitRuns(
  words: readonly ReadWord[],
  tokens: readonly Token[],
): readonly DigitRun[] {
  const runs: DigitRun[] = [];
  let own: Token[] = [];
  let skipped = 0;
  const close = (): void => {
    if (own.length > 0) runs.push(runOf(words, own, tokens));
    own = [];
    skipped = 0;
  };
  for (const token of tokens) {
    const last = own.at(-1);
    if (token.digits !== null) {
      const isLate = last && words[token.first]!.start - words[last.last]!.end > maxPauseSeconds;
      // Somebody asked for something else meanwhile.
      const between = last ? words.slice(last.last + 1, token.first) : [];
      const isOther = announces(between) || asksForOther(between);
      if (isLate || isOther || skipped > maxFillers) close();
      own.push(token);
      skipped = 0;
    } else if (isFiller(token, words[token.first]!)) skipped += 1;
    else close();
  }
  close();
  return runs;
}

/** Whether digits go on after it. */
export function isFiller({ text }: Token, word: ReadWord): boolean {
  const isOwn = word.languages.includes(word.language) && isOwnFilling(text, [word.language]);
  return fillingWords.has(text) || isOwn || isPunctuation(word);
}

/** A separator between groups that stands alone. */
function isPunctuation({ word }: ReadWord): boolean {
  return /^[-–—/()]+$/.test(word);
}

export function runOf(
  words: readonly ReadWord[],
  own: readonly Token[],
  all: readonly Token[],
): DigitRun {
  const first = own[0]!;
  const before = all[all.indexOf(first) - 1];
  return {
    digits: own.map(({ digits }) => digits).join(''),
    isInternational: first.isInternational || plusWords.has(before?.text ?? ''),
    tokens: own,
    start: words[first.first]!.start,
  };
}
