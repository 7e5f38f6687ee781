// Digits at the end of what was said so far that may be the beginning of a number.
import { findingOf, isDate, kindOf, type NumberFinding, type NumberKind } from './classify.ts';
import type { Announcements } from './context.ts';
import { isFiller, type DigitRun } from './digit-runs.ts';
import type { ReadWord } from './kinds.ts';
import { isOfOther } from './other-numbers.ts';
import type { Token } from './tokens.ts';

/** Fewer are a count, a room or an hour. */
const minDigits = 4;
/** Of an announced number that is said digit by digit. */
const minAnnounced = 3;
const anyKind: readonly NumberKind[] = ['card', 'phone', 'account'];

/**
 * @param words of everybody, by start
 * @param tokens of one speaker, in order, without amounts
 * @param runs digits of that speaker that are no number by themselves
 */
export function unfinishedNumber(
  words: readonly ReadWord[],
  tokens: readonly Token[],
  runs: readonly DigitRun[],
  announcedBefore: Announcements,
): NumberFinding | null {
  const end = tokens.findLastIndex((token) => !isFiller(token, words[token.first]!));
  const last = tokens[end];
  const run = runs.find(({ tokens: own }) => own.at(-1) === last);
  if (!run || isDate(run) || isOfOther(words, run)) return null;
  const isOneByOne = run.tokens.every(({ digits }) => digits?.length === 1);
  const announced = announcedBefore(run.start).flat().map(kindOf);
  const least = announced.length > 0 && isOneByOne ? minAnnounced : minDigits;
  if (run.digits.length < least || (!isOneByOne && isAmount(run))) return null;
  return findingOf(run, announced.length > 0 ? announced : anyKind);
}

/**
 * A year, also after its day, a time, a round number or a price: no card begins like the first two
 * of them, but one of Mastercard's.
 */
const amount =
  /^(?:(?:\d\d? )?(?:19|20) ?\d\d|(?:[01]?\d|2[0-4]) ?[0-5]\d|[1-9]\d*00|\d{1,3} 9[59])$/;

function isAmount({ tokens }: DigitRun): boolean {
  return amount.test(tokens.map(({ digits }) => digits).join(' '));
}
