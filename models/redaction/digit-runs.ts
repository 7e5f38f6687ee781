// Digits that one speaker says one after the other, with pauses and small words in between.
import { announces } from './context.ts';
import type { SpokenWord } from './kinds.ts';
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

/** Said between groups of digits without ending them. */
const fillers: ReadonlySet<string> = new Set(
  (
    'uh um er erm ah eh mm hmm dash hyphen minus space then and okay ok yeah yes right so comma ' +
    'well äh ähm euh ehm hum und dann ja gut also noch nochmal die eine et puis oui y luego sí ' +
    'e poi sì bindestrich tiret guion guión trattino dan'
  ).split(' '),
);
/** "And" in Dutch; in Spanish and French it is "in": "300 en 2019". */
const dutchFiller = 'en';
/** Said before the code of a country. */
const plusSigns: ReadonlySet<string> = new Set('plus más mas più piu mais'.split(' '));
const maxFillers = 3;
/** Somebody looks for a card, or waits until the other has written down a group. */
export const maxPauseSeconds = 20;

/** @param tokens of one speaker, in order */
export function digitRuns(
  words: readonly SpokenWord[],
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
export function isFiller({ text }: Token, word: SpokenWord): boolean {
  const isDutch = text === dutchFiller && word.language === 'nl';
  return fillers.has(text) || isDutch || isPunctuation(word);
}

/** A separator between groups that stands alone. */
function isPunctuation({ word }: SpokenWord): boolean {
  return /^[-–—/()]+$/.test(word);
}

export function runOf(
  words: readonly SpokenWord[],
  own: readonly Token[],
  all: readonly Token[],
): DigitRun {
  const first = own[0]!;
  const before = all[all.indexOf(first) - 1];
  return {
    digits: own.map(({ digits }) => digits).join(''),
    isInternational: first.isInternational || plusSigns.has(before?.text ?? ''),
    tokens: own,
    start: words[first.first]!.start,
  };
}
