// Card, account and telephone numbers in what is said, by form, check digits and announcement.
import { withoutAmounts } from './without-amounts.ts';
import { announcementPlaces } from './announcement-places.ts';
import { isCardNumber, maxCardDigits } from './checks.ts';
import {
  classify,
  findingOf,
  isDate,
  isYear,
  kindOf,
  tooLongKind,
  type NumberFinding,
  type NumberKind,
} from './classify.ts';
import type { Announcements } from './context.ts';
import { isDamagedCard } from './damaged-cards.ts';
import { digitRuns, runOf, type DigitRun } from './digit-runs.ts';
import { withLetters } from './document-letters.ts';
import { endingOf } from './endings.ts';
import { findCards } from './find-cards.ts';
import { findCodes } from './find-codes.ts';
import { findIbans } from './find-ibans.ts';
import type { ReadWord } from './kinds.ts';
import type { Announcement } from './languages/redaction-language.ts';
import { isOfOther } from './other-numbers.ts';
import { interruptedNumbers } from './interrupted.ts';
import { divisionsOf } from './several-numbers.ts';
import { sharedNumbers } from './shared-numbers.ts';
import { splitCards } from './split-cards.ts';
import type { Token } from './tokens.ts';
import { unfinishedNumber } from './unfinished.ts';

/** What a speaker says, with what announces numbers in it. */
interface Speech {
  /** Of everybody, by start. */
  readonly words: readonly ReadWord[];
  readonly tokens: readonly Token[];
  readonly announcedBefore: Announcements;
  readonly isOpen: boolean;
}

interface ReadSpeech {
  readonly read: readonly ReadRun[];
  /** Without the digits of amounts and of numbers with letters. */
  readonly tokens: readonly Token[];
}

interface ReadRun {
  readonly found: readonly NumberFinding[];
  /** Digits that are none by themselves. */
  readonly rest: readonly DigitRun[];
}

/**
 * @param words of everybody, by start
 * @param tokens of each speaker, in order
 */
export function findSensitiveNumbers(
  words: readonly ReadWord[],
  tokens: readonly (readonly Token[])[],
  { announcedBefore, isOpen }: Pick<Speech, 'announcedBefore' | 'isOpen'>,
): readonly NumberFinding[] {
  const speeches = tokens.map((own) =>
    readSpeaker({ words, tokens: own, announcedBefore, isOpen }),
  );
  const read = speeches.flatMap((each) => each.read);
  const found = read.flatMap((each) => each.found);
  const all = speeches.flatMap((each) => each.tokens);
  const shared =
    tokens.length < 2 ? [] : sharedNumbers(words, { tokens: all, found }, announcedBefore);
  return [
    ...found,
    ...shared,
    ...echoes(
      read.flatMap(({ rest }) => rest),
      found,
    ),
  ];
}

function readSpeaker(speech: Speech): ReadSpeech {
  const { words, announcedBefore } = speech;
  const ibans = findIbans(words, speech.tokens, announcedBefore);
  const isTaken = (token: Token): boolean =>
    ibans.some(({ first, last }) => token.first >= first.first && token.last <= last.last);
  const free = speech.tokens.map((token) =>
    isTaken(token) ? { ...token, digits: null, text: '' } : token,
  );
  const isAnnounced = (seconds: number): boolean => announcedBefore(seconds).length > 0;
  const tokens = withoutAmounts(words, free, isAnnounced);
  const runs = digitRuns(words, tokens);
  const isCardExpected = (run: DigitRun): boolean =>
    announcedBefore(run.start)[0]?.[0] === 'card' && !isOfOther(words, run);
  const split = splitCards(words, runs, isCardExpected);
  const interrupted = interruptedNumbers(words, runs, (run) => {
    if (isOfOther(words, run)) return null;
    return classify(run, announcedBefore(run.start))?.kinds ?? null;
  });
  const read = runs.map((run): ReadRun => {
    const kinds = split.has(run) ? ['card' as const] : interrupted.get(run);
    if (kinds) return { found: [findingOf(run, kinds)], rest: [] };
    if (isOfOther(words, run) && !isCardNumber(run.digits)) return { found: [], rest: [run] };
    return withDamagedCards(readRun({ ...speech, tokens }, run), isCardExpected);
  });
  const codes = findCodes(words, tokens, announcedBefore);
  const left = read.flatMap(({ rest }) => rest);
  const open = speech.isOpen && unfinishedNumber(words, tokens, left, announcedBefore);
  const others = [...ibans, ...codes, ...(open ? [open] : [])];
  const all = [{ found: others, rest: [] }, ...read];
  return {
    read: all.map(({ found, rest }) => ({ found: withLetters(words, tokens, found), rest })),
    tokens,
  };
}

/** @param rest of a run that is no other thing's */
function withDamagedCards(
  { found, rest }: ReadRun,
  isCardExpected: (run: DigitRun) => boolean,
): ReadRun {
  const damaged = rest.filter((run) => isDamagedCard(run, isCardExpected(run)));
  return {
    found: [...found, ...damaged.map((run) => findingOf(run, ['card']))],
    rest: rest.filter((run) => !damaged.includes(run)),
  };
}

function readRun(speech: Speech, run: DigitRun): ReadRun {
  const announced = speech.announcedBefore(run.start);
  const isNumber = (part: DigitRun): boolean =>
    isCardNumber(part.digits) || classify(part, announced) !== null;
  if (isNumber(run)) return readNumber(speech, run);
  const divisions = divisionsOf(speech.words, run, speech.tokens);
  // What passes as a card's number, but goes over the end of another one, does so by chance.
  const isCard = announced.flat().includes('card');
  const isChance = !isCard || run.digits.length > maxCardDigits;
  const whole = divisions.find((parts) => parts.every((part) => isNumber(part) || isDate(part)));
  if (isChance && whole?.some(isNumber)) return join(whole.map((part) => readNumber(speech, part)));
  const read = readNumber(speech, run);
  const isRead = read.found.length > 0 && (isCard || read.rest.length === 0);
  const kind = tooLongKind(run, announced);
  if (!isRead && kind !== null) return { found: [findingOf(run, [kind])], rest: [] };
  const parts = divisions.find((all) => all.some(isNumber)) ?? [];
  return read.found.length === 0 && parts.length > 0
    ? join(parts.map((part) => readNumber(speech, part)))
    : read;
}

function join(parts: readonly ReadRun[]): ReadRun {
  return { found: parts.flatMap(({ found }) => found), rest: parts.flatMap(({ rest }) => rest) };
}

/** A number, or cards and what is left beside them. */
function readNumber({ words, tokens, announcedBefore }: Speech, run: DigitRun): ReadRun {
  const cards = findCards(run.tokens);
  const found: NumberFinding[] = cards.found.map(({ digits, tokens: own }) => ({
    ...{ kinds: ['card'], digits, first: own[0]!, last: own.at(-1)! },
  }));
  const rest: DigitRun[] = [];
  for (const left of cards.rest) {
    const part = cards.found.length === 0 ? run : runOf(words, left, tokens);
    const announced = announcedBefore(part.start);
    const ending = endingFinding(words, part, announced);
    const finding = ending ?? (isYear(words, part) ? null : classify(part, announced));
    if (finding) found.push(finding);
    else rest.push(part);
  }
  return { found, rest };
}

/** The last digits of what was announced. */
function endingFinding(
  words: readonly ReadWord[],
  run: DigitRun,
  announced: readonly (readonly Announcement[])[],
): NumberFinding | null {
  const ending = endingOf(words, run);
  if (!ending) return null;
  const phrases = announced.map((phrase) => phrase.filter((each) => each !== 'securityCode'));
  const kinds = phrases.find((phrase) => phrase.length > 0) ?? kindsAfter(words, run);
  return kinds.length === 0 ? null : findingOf(ending, kinds);
}

/** "The last four digits are 4242 of my card". */
const maxWordsAfter = 4;

function kindsAfter(words: readonly ReadWord[], { tokens }: DigitRun): readonly NumberKind[] {
  const from = tokens.at(-1)!.last + 1;
  const after = words.slice(from, from + maxWordsAfter);
  const isEnded = /[.?!;:]$/.test(words[from - 1]!.word);
  const first = announcementPlaces(after).places.toSorted((a, b) => a.index - b.index)[0];
  return isEnded || !first ? [] : [kindOf(first.kind)];
}

const minEchoDigits = 4;

/** Parts of a number that somebody repeats, and the last digits of a card. */
function echoes(
  runs: readonly DigitRun[],
  found: readonly NumberFinding[],
): readonly NumberFinding[] {
  return runs.flatMap((run) => {
    const { digits } = run;
    const echoed =
      digits.length >= minEchoDigits && found.find((each) => each.digits.includes(digits));
    if (!echoed) return [];
    return [findingOf(run, echoed.kinds)];
  });
}
