// Numbers that are spoken one after the other: telephone numbers, codes and years.
import type { NumberLanguage } from './number-language.ts';
import type { SpokenNumber } from './spoken-numbers.ts';
import type { SpokenToken } from './spoken-tokens.ts';

export interface Sentence {
  readonly language: NumberLanguage;
  readonly tokens: readonly SpokenToken[];
  /** By the token that they start with. */
  readonly numbers: ReadonlyMap<number, SpokenNumber>;
  /** Tokens that follow a number. */
  readonly ends: ReadonlySet<number>;
}

/** Tokens up to `end`, and what they are written as; null: as they were spoken. */
export interface Replacement {
  readonly end: number;
  readonly text: string | null;
}

/** A rule: what a number with the words around it is written as; null when it is none of these. */
export type NumberRule = (sentence: Sentence, number: SpokenNumber) => Replacement | null;

interface Run {
  readonly groups: readonly string[];
  readonly end: number;
  /** Numbers of groups between commas. */
  readonly parts: readonly number[];
  /** Some are written in digits already. */
  readonly hasWritten: boolean;
}

/** Telephone numbers and account numbers. */
const minNumberDigits = 7;
const maxNumberDigits = 20;
/** Of a code with commas between its digits; fewer are things that are listed. */
const minCodeDigits = 4;
/** Before a year that may be something else. */
const beforeYears: ReadonlySet<string> = new Set(['in', 'of', 'since', 'year']);
const people: ReadonlySet<string> = new Set('people persons men women children'.split(' '));
/** Among which the name of a code is looked for. */
const wordsBeforeCode = 6;

/** @returns null unless several numbers follow each other */
export function readDigitRun(sentence: Sentence, from: number): Replacement | null {
  const whole = collect(sentence, from, { pastCommas: true });
  const digits = whole.groups.join('');
  const hasParts = whole.parts.length > 1 && whole.parts.every((groups) => groups > 1);
  // `zéro six, quarante-deux, ...`: nothing that is listed begins with zero.
  const isTelephone = whole.groups[0] === '0' && sentence.language.phone(digits) !== null;
  if ((hasParts || isTelephone) && isNumber(whole.groups)) return replace(sentence, whole, digits);
  const single = collect(sentence, from, { pastCommas: true, oneByOne: true });
  if (isInterrupted(single)) {
    if (isSpelled(sentence, from, single)) return replace(sentence, single, single.groups.join(''));
    // What is left of it would be joined as soon as it is short enough.
    if (single.groups.length > maxNumberDigits) return { end: single.end, text: null };
  }
  const run = collect(sentence, from, { pastCommas: false });
  const { groups } = run;
  if (groups.length < 2) return null;
  const year = yearOf(sentence, from, groups);
  if (year) return { ...year, end: endOf(sentence, from, year.groups) };
  if (isNumbered(sentence, from, groups)) return replace(sentence, run, groups.join(''));
  const isDigits = groups.length > 2 && groups.every((group) => group.length === 1);
  // Three digits that count are not a code.
  if (isDigits && groups.join('') !== '123') return replace(sentence, run, groups.join(''));
  if (isNumber(groups)) return replace(sentence, run, groups.join(''));
  // `double five` starts with a word.
  const first = sentence.numbers.get(from);
  // `un tres por ciento`: an article is no part of what follows.
  return { end: first && isArticle(sentence, first) ? first.end : run.end, text: null };
}

/** Named by numbers of three digits: `flight two twenty three`. */
const numbered: ReadonlySet<string> = new Set('flight room page extension apartment'.split(' '));

function isNumbered({ tokens }: Sentence, from: number, groups: readonly string[]): boolean {
  const label = tokens[from - 1];
  return (
    label?.after === '' && numbered.has(label.core) && /^[1-9] [1-9]\d$/.test(groups.join(' '))
  );
}

/** `un`, `a`: a one that is mostly an article. */
export function isArticle({ tokens, language }: Sentence, { from, value }: SpokenNumber): boolean {
  return value === 1 && !language.countingOnes.includes(tokens[from]!.core);
}

function isInterrupted({ parts, hasWritten }: Run): boolean {
  return parts.length > 1 || hasWritten;
}

/**
 * `five, five, five, one two three four`, and `4, 2, 4, 2` where it is called a code: few numbers
 * with commas between are as often things that are listed or counted.
 */
function isSpelled(sentence: Sentence, from: number, run: Run): boolean {
  const { groups } = run;
  if (groups.length < minCodeDigits || groups.length > maxNumberDigits) return false;
  if (isCounted(groups) || goesOn(sentence, run)) return false;
  return groups.length >= minNumberDigits || isCalledCode(sentence, from);
}

function isCounted(digits: readonly string[]): boolean {
  const steps = digits.slice(1).map((digit, i) => Math.sign(Number(digit) - Number(digits[i])));
  return steps[0] !== 0 && steps.every((step) => step === steps[0]);
}

/** `..., nine and ten`, `five five five one two three four, two of them`. */
function goesOn({ tokens, numbers, language }: Sentence, { end, parts }: Run): boolean {
  const { after } = tokens[end - 1]!;
  if (after !== '' && after !== ',') return false;
  const isJoined = language.pairJoints.includes(tokens[end]?.core ?? '');
  if (numbers.has(isJoined ? end + 1 : end)) return true;
  const endsAlone = parts.at(-1) === 1 && parts.some((count) => count > 1);
  return endsAlone && after === '' && end < tokens.length;
}

function isCalledCode({ tokens, language }: Sentence, from: number): boolean {
  const before = tokens.slice(Math.max(0, from - wordsBeforeCode), from);
  const sentenceStart = before.findLastIndex(({ after }) => /[.?!]/.test(after)) + 1;
  return before.slice(sentenceStart).some(({ core }) => language.codes.includes(core));
}

function isNumber(groups: readonly string[]): boolean {
  const { length } = groups.join('');
  return length >= minNumberDigits && length <= maxNumberDigits;
}

function replace({ language }: Sentence, { end }: Run, digits: string): Replacement {
  return { end, text: language.phone(digits) ?? digits };
}

interface CollectOptions {
  readonly pastCommas: boolean;
  /** Only digits that are spoken or written one by one. */
  readonly oneByOne?: true;
}

function collect(
  { tokens, numbers, language }: Sentence,
  from: number,
  { pastCommas, oneByOne }: CollectOptions,
): Run {
  const groups: string[] = [];
  const parts = [0];
  let end = from;
  let digits = 0;
  let hasWritten = false;
  // Past commas only what is short enough for a telephone number counts.
  const most = pastCommas && !oneByOne ? maxNumberDigits : Infinity;
  for (let at = from; at < tokens.length && digits <= most;) {
    const { core } = tokens[at]!;
    const times = Object.hasOwn(language.repeats, core) ? language.repeats[core]! : 1;
    const number = numbers.get(times > 1 ? at + 1 : at);
    if (!number || number.kind === 'ordinal' || number.decimals) break;
    const isSingle = number.isDigit || (number.isWritten && tokens[number.from]!.core.length === 1);
    if (oneByOne ? !isSingle : number.isWritten || number.isBare || number.value >= 1_000) break;
    if (times > 1 && !isSingle) break;
    groups.push(...Array.from({ length: times }, () => `${number.value}`));
    digits += times * `${number.value}`.length;
    parts[parts.length - 1]! += times;
    hasWritten ||= number.isWritten;
    end = number.end;
    at = end;
    const { after } = tokens[end - 1]!;
    if (after === '') continue;
    if (!pastCommas || after !== ',') break;
    parts.push(0);
  }
  return { groups, end, parts: parts.filter((count) => count > 0), hasWritten };
}

/** `nineteen ninety nine`, `twenty oh five`; not in languages that speak years as one number. */
function yearOf(
  sentence: Sentence,
  from: number,
  groups: readonly string[],
): { readonly text: string | null; readonly groups: number } | null {
  const { tokens, language } = sentence;
  const [century = '', decade = '', year = ''] = groups;
  if (language.code !== 'en' || !/^(1\d|20|21)$/.test(century)) return null;
  const isEarly = decade === '0' && /^[1-9]$/.test(year) && groups.length === 3;
  if (isEarly) return { text: `${century}0${year}`, groups: 3 };
  // `nineteen eighty four nineteen eighty five`.
  const areYears = groups.length === 4 && /^(?:19|20)\d\d(?:19|20)\d\d$/.test(groups.join(''));
  if (areYears && decade.length === 2 && !isCalledCode(sentence, from))
    return { text: century + decade, groups: 2 };
  if (decade.length !== 2 || groups.length !== 2) return null;
  // `ten thirty` is a time as well, `nineteen ninety nine dollars` are a price of two readings, and
  // `twenty one twenty two` are two numbers.
  const isOther = century === '21' || (Number(century) < 13 && Number(decade) < 60);
  const isAnnounced = beforeYears.has(tokens[from - 1]?.core ?? '');
  const unit = tokens[endOf(sentence, from, 2)]?.core ?? '';
  const isPrice = Object.hasOwn(language.currencies, unit);
  // `fifteen twenty five people`: nobody is sure how many.
  const isPeople = people.has(unit) && !isAnnounced;
  const isYear = !isPrice && !isPeople && (!isOther || isAnnounced);
  return { text: isYear ? century + decade : null, groups: 2 };
}

function endOf({ numbers }: Sentence, from: number, groups: number): number {
  let end = from;
  for (let i = 0; i < groups; i += 1) end = numbers.get(end)!.end;
  return end;
}
