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

interface Run {
  readonly groups: readonly string[];
  readonly end: number;
  /** Numbers of groups between commas. */
  readonly parts: readonly number[];
}

const repetitions: Readonly<Record<string, number>> = { double: 2, triple: 3 };
/** Telephone numbers and account numbers. */
const minNumberDigits = 7;
const maxNumberDigits = 20;

/** @returns null unless several numbers follow each other */
export function readDigitRun(sentence: Sentence, from: number): Replacement | null {
  const whole = collect(sentence, from, { pastCommas: true });
  const digits = whole.groups.join('');
  const hasParts = whole.parts.length > 1 && whole.parts.every((groups) => groups > 1);
  if (hasParts && isNumber(whole.groups)) return replace(sentence, whole, digits);
  const run = collect(sentence, from, { pastCommas: false });
  const { groups } = run;
  if (groups.length < 2) return null;
  const year = yearOf(groups, sentence.language);
  if (year) return { ...year, end: endOf(sentence, from, year.groups) };
  const isDigits = groups.length > 2 && groups.every((group) => group.length === 1);
  // Three digits that count are not a code.
  if (isDigits && groups.join('') !== '123') return replace(sentence, run, groups.join(''));
  if (isNumber(groups)) return replace(sentence, run, groups.join(''));
  // `double five` starts with a word.
  const first = sentence.numbers.get(from);
  // `un tres por ciento`: an article is no part of what follows.
  return { end: first && isArticle(sentence, first) ? first.end : run.end, text: null };
}

function isArticle({ tokens, language }: Sentence, { from, value }: SpokenNumber): boolean {
  return value === 1 && !language.countingOnes.includes(tokens[from]!.core);
}

function isNumber(groups: readonly string[]): boolean {
  const { length } = groups.join('');
  const isLong = length >= minNumberDigits && length <= maxNumberDigits;
  return isLong && groups.length > 2 && groups.every((group) => group.length <= 3);
}

function replace({ language }: Sentence, { end }: Run, digits: string): Replacement {
  return { end, text: language.phone(digits) ?? digits };
}

function collect(
  { tokens, numbers }: Sentence,
  from: number,
  { pastCommas }: { readonly pastCommas: boolean },
): Run {
  const groups: string[] = [];
  const parts = [0];
  let end = from;
  let digits = 0;
  // Past commas only what is short enough for a telephone number counts.
  for (let at = from; at < tokens.length && !(pastCommas && digits > maxNumberDigits);) {
    const times = repetitions[tokens[at]!.core] ?? 1;
    const number = numbers.get(times > 1 ? at + 1 : at);
    if (!number || number.kind === 'ordinal' || number.decimals || number.isWritten) break;
    if (number.isBare || number.value >= 1_000 || (times > 1 && !number.isDigit)) break;
    groups.push(...Array.from({ length: times }, () => `${number.value}`));
    digits += times * `${number.value}`.length;
    parts[parts.length - 1]! += times;
    end = number.end;
    at = end;
    const { after } = tokens[end - 1]!;
    if (after === '') continue;
    if (!pastCommas || after !== ',' || !numbers.has(at)) break;
    parts.push(0);
  }
  return { groups, end, parts: parts.filter((count) => count > 0) };
}

/** `nineteen ninety nine`, `twenty oh five`; not in languages that speak years as one number. */
function yearOf(
  groups: readonly string[],
  { code }: NumberLanguage,
): { readonly text: string; readonly groups: number } | null {
  const [century = '', decade = '', year = ''] = groups;
  if (code !== 'en' || !/^(1\d|20|21)$/.test(century)) return null;
  if (decade.length === 2 && groups.length === 2) return { text: century + decade, groups: 2 };
  const isEarly = decade === '0' && /^[1-9]$/.test(year) && groups.length === 3;
  return isEarly ? { text: `${century}0${year}`, groups: 3 } : null;
}

function endOf({ numbers }: Sentence, from: number, groups: number): number {
  let end = from;
  for (let i = 0; i < groups; i += 1) end = numbers.get(end)!.end;
  return end;
}
