// What a run of digits is: by what announced it, or by its form.
import type { RedactionKind } from '../contract/redaction.ts';
import { isPhoneNumber, maxCardDigits } from './checks.ts';
import type { DigitRun } from './digit-runs.ts';
import type { ReadWord } from './kinds.ts';
import { wordIn } from './languages/languages.ts';
import type { Announcement } from './languages/redaction-language.ts';
import { bare, type Token } from './tokens.ts';

export type NumberKind = Extract<RedactionKind, 'card' | 'account' | 'phone'>;

export interface NumberFinding {
  /** What it may be, the likeliest first. */
  readonly kinds: readonly NumberKind[];
  readonly digits: string;
  readonly first: Token;
  readonly last: Token;
}

/** Digits of numbers that were announced; of a card a digit may not have been recognised. */
const lengths: Readonly<Record<Announcement, { readonly least: number; readonly most: number }>> = {
  card: { least: 12, most: maxCardDigits },
  securityCode: { least: 3, most: 4 },
  account: { least: 6, most: 18 },
  phone: { least: 7, most: 15 },
};

/** By the nearest phrase with an announcement that the length fits, or else by form. */
export function classify(
  run: DigitRun,
  announced: readonly (readonly Announcement[])[],
): NumberFinding | null {
  const { digits, isInternational } = run;
  const { length } = digits;
  if (isDate(run)) return null;
  const fitting = announced
    .map((phrase) =>
      phrase.filter((each) => lengths[each].least <= length && length <= lengths[each].most),
    )
    .find((phrase) => phrase.length > 0);
  const isPhone = isPhoneNumber(digits, isInternational);
  if (!fitting) return isPhone ? findingOf(run, ['phone']) : null;
  const kinds = fitting.map(kindOf);
  return findingOf(
    run,
    isPhone ? kinds.toSorted((a, b) => Number(b === 'phone') - Number(a === 'phone')) : kinds,
  );
}

/** The nearest kind, where the digits are too many for all that were announced; else null. */
export function tooLongKind(
  { digits }: DigitRun,
  announced: readonly (readonly Announcement[])[],
): NumberKind | null {
  const all = announced.flat();
  const isTooLong = all.every((each) => digits.length > lengths[each].most);
  return all[0] !== undefined && isTooLong ? kindOf(all[0]) : null;
}

/** Security codes are hidden as a part of their card. */
export function kindOf(announced: Announcement): NumberKind {
  return announced === 'securityCode' ? 'card' : announced;
}

const day = '(?:(?:0 ?)?[1-9]|[12]\\d|3[01])';
const month = '(?:(?:0 ?)?[1-9]|1[0-2])';
const dayAndMonth = `(?:${day} ${month}|${month} ${day})`;
const year = '(?:19|20)(?: ?\\d\\d| 0 \\d)';
const date = new RegExp(`^(?:${dayAndMonth} ${year}|${year} ${dayAndMonth})$`);

/** Day, month and year: `12 04 2026`, `oh three twelve nineteen eighty five`; or the year first. */
export function isDate({ tokens }: DigitRun): boolean {
  return date.test(tokens.map(({ digits }) => digits).join(' '));
}

const yearAlone = /^(?:19|20)(?: ?\d\d| 0 \d)$/;
const isBeforeYears = wordIn(({ amounts }) => amounts.beforeYears);

/** "I was born in 1982": as long as a security code that was asked for before. */
export function isYear(words: readonly ReadWord[], { tokens }: DigitRun): boolean {
  const before = words[tokens[0]!.first - 1];
  const said = tokens.map(({ digits }) => digits).join(' ');
  return (
    before !== undefined &&
    isBeforeYears(bare(before.word), before.languages) &&
    yearAlone.test(said)
  );
}

export function findingOf(
  { digits, tokens }: DigitRun,
  kinds: readonly NumberKind[],
): NumberFinding {
  return { kinds, digits, first: tokens[0]!, last: tokens.at(-1)! };
}
