// The grammar of spoken numbers: from the numerals of consecutive words to one value.
import type { Numeral, NumeralLanguage } from './number-language.ts';

/** A numeral and the token it stands in. */
export interface Part extends Numeral {
  readonly token: number;
}

export interface Parsed {
  readonly value: number;
  /** Index of the part after it. */
  readonly next: number;
  readonly isBare: boolean;
  readonly mantissa: number | null;
}

/** The longest number that begins with a part; null when none does. */
export function parseNumber(
  parts: readonly Part[],
  from: number,
  language: NumeralLanguage,
): Parsed | null {
  const start = { from, value: 0, next: from };
  let sum: Sum = {
    ...start,
    lastScale: Infinity,
    isBare: false,
    isComplete: false,
    isMixed: false,
  };
  for (let grown: Sum | null = sum; grown && !sum.isComplete;) {
    grown = addTerm(parts, sum, language);
    sum = grown ?? sum;
  }
  if (sum.next === from) return null;
  const { value, next, isBare, lastScale, isComplete, isMixed } = sum;
  const mantissa = value / lastScale;
  const isScaled = !isComplete && !isMixed && lastScale >= 1e6;
  const isRound = isScaled && Number.isInteger(mantissa) && mantissa < 1e4;
  return { value, next, isBare, mantissa: isRound ? mantissa : null };
}

interface Sum {
  /** The part that it begins with. */
  readonly from: number;
  readonly value: number;
  readonly next: number;
  /** The scale of the last term. */
  readonly lastScale: number;
  readonly isBare: boolean;
  /** Of several scales: `two billion three hundred million`. */
  readonly isMixed: boolean;
  /** Nothing can follow: an ordinal number, or less than a thousand. */
  readonly isComplete: boolean;
}

/** Adds thousands, millions or the last part below a thousand; null when none of them follows. */
function addTerm(parts: readonly Part[], sum: Sum, language: NumeralLanguage): Sum | null {
  const { from, value, next, lastScale } = sum;
  const isFirst = next === from;
  const joined = !isFirst && parts[next]?.kind === 'and' && language.joints.includes('hundreds');
  const below = parseBelowThousand(parts, joined ? next + 1 : next, language);
  const after = below?.next ?? next;
  const scale = below?.isOrdinal ? undefined : parts[after];
  if (scale?.kind === 'scale') {
    // `dos mil millones`: the thousands before it are multiplied.
    const isHigher = scale.value > lastScale && scale.value >= 1e6;
    const isSpoken = below !== null || isHigher || (isFirst && language.bareScales);
    if (!isSpoken || (!isHigher && scale.value >= lastScale)) return null;
    const factor = below?.value ?? 1;
    return {
      from,
      value: isHigher ? (value + (below?.value ?? 0)) * scale.value : value + factor * scale.value,
      next: after + 1,
      lastScale: scale.value,
      isBare: isFirst && (below === null || below.isArticle),
      isMixed: sum.isMixed || (!isFirst && !isHigher),
      isComplete: scale.ordinal === true,
    };
  }
  if (!below || below.isArticle) return null;
  const isBare = isFirst && below.isBare;
  const grown = { from, value: value + below.value, next: below.next };
  return { ...grown, lastScale, isBare, isMixed: sum.isMixed, isComplete: true };
}

export interface Below {
  readonly value: number;
  readonly next: number;
  readonly isBare: boolean;
  /** A word that is mostly no number: `a`. */
  readonly isArticle: boolean;
  readonly isOrdinal: boolean;
}

/** A number from 0 to 999 at a part. */
export function parseBelowThousand(
  parts: readonly Part[],
  at: number,
  language: NumeralLanguage,
): Below | null {
  const first = parts[at];
  const below = parseBelowHundred(parts, at, language);
  if (below?.ordinal) return toBelow(below.value, below.next, { isOrdinal: true });
  const isArticle = first?.kind === 'article';
  const hundredAt = below?.next ?? (isArticle ? at + 1 : at);
  const hundred = parts[hundredAt];
  if (hundred?.kind === 'hundred' || (hundred?.kind === 'hundreds' && hundredAt === at)) {
    const factor = below?.value ?? 1;
    const multiplies = hundred.kind === 'hundred';
    const isAlone = language.bareScales || hundred.ordinal === true;
    const isSpoken = below !== null || isArticle || !multiplies || isAlone;
    const isPair = factor > 10 && factor % 10 > 0;
    const fits = factor > 0 && factor <= language.mostHundreds && (factor < 10 || isPair);
    if (isSpoken && (fits || factor === 1)) {
      const value = multiplies ? factor * 100 : hundred.value;
      const isBare = below === null && value === 100;
      if (hundred.ordinal) return toBelow(value, hundredAt + 1, { isOrdinal: true });
      return withRest({ value, isBare }, parts, hundredAt + 1, language);
    }
  }
  if (below) {
    // `un` and `ein` before a million are as little meant as `a`.
    const isOne = below.value === 1 && parts[below.next]?.kind === 'scale';
    return toBelow(below.value, below.next, { isArticle: isOne && !isCounting(first, language) });
  }
  return isArticle && parts[at + 1]?.kind === 'scale'
    ? toBelow(1, at + 1, { isArticle: true })
    : null;
}

function isCounting(part: Part | undefined, { code }: NumeralLanguage): boolean {
  return code === 'en' && part?.kind === 'digit';
}

function toBelow(value: number, next: number, flags: Partial<Below> = {}): Below {
  return { value, next, isBare: false, isArticle: false, isOrdinal: false, ...flags };
}

/** What follows a hundred, up to 99. */
function withRest(
  { value, isBare }: { readonly value: number; readonly isBare: boolean },
  parts: readonly Part[],
  at: number,
  language: NumeralLanguage,
): Below {
  const joined = parts[at]?.kind === 'and' && language.joints.includes('hundreds');
  const rest = parseBelowHundred(parts, joined ? at + 1 : at, language);
  // In `eight hundred five five five` the digits are one number of a telephone.
  const follows = rest ? parts[rest.next] : undefined;
  const isRun = rest !== null && !joined && rest.value < 10 && isDigitPart(follows);
  if (!rest || isRun || follows?.kind === 'hundred' || rest.value === 0)
    return toBelow(value, at, { isBare });
  return toBelow(value + rest.value, rest.next, { isOrdinal: rest.ordinal });
}

export function isDigitPart(part: Part | undefined): boolean {
  return part?.kind === 'digit' || part?.kind === 'zero';
}

export interface BelowHundred {
  readonly value: number;
  readonly next: number;
  readonly ordinal: boolean;
}

/** A number from 0 to 99 at a part. */
function parseBelowHundred(
  parts: readonly Part[],
  at: number,
  { joints, vigesimal }: NumeralLanguage,
): BelowHundred | null {
  const first = parts[at];
  const second = parts[at + 1];
  if (!first) return null;
  const done = (value: number, next: number, last: Part): BelowHundred => {
    return { value, next, ordinal: last.ordinal === true };
  };
  const isEighty = vigesimal && first.value === 4 && second?.value === 20 && !first.ordinal;
  if (first.kind === 'tens' || isEighty) {
    const tens = isEighty ? 80 : first.value;
    const tensEnd = isEighty ? at + 2 : at + 1;
    const joined = parts[tensEnd]?.kind === 'and' && joints.includes('tens');
    const unitAt = joined ? tensEnd + 1 : tensEnd;
    const unit = parts[unitAt];
    if (unit?.kind === 'digit') return done(tens + unit.value, unitAt + 1, unit);
    if (vigesimal && (tens === 60 || tens === 80) && unit?.kind === 'pair') {
      const pair = parsePair(parts, unitAt, vigesimal);
      return done(tens + pair.value, pair.next, parts[pair.next - 1]!);
    }
    return done(tens, tensEnd, parts[tensEnd - 1]!);
  }
  if (first.kind === 'pair') {
    const { value, next } = parsePair(parts, at, vigesimal);
    return done(value, next, parts[next - 1]!);
  }
  // `fünf und zwanzig` in three words.
  const tens = parts[at + 2];
  const isReversed = first.kind === 'digit' && second?.kind === 'and' && tens?.kind === 'tens';
  if (isReversed && !first.ordinal && joints.includes('units'))
    return done(first.value + tens.value, at + 3, tens);
  return first.kind === 'digit' || first.kind === 'zero' ? done(first.value, at + 1, first) : null;
}

/** `dix-sept` is spoken in two parts. */
function parsePair(
  parts: readonly Part[],
  at: number,
  vigesimal: boolean,
): { readonly value: number; readonly next: number } {
  const pair = parts[at]!;
  const unit = parts[at + 1];
  const adds = vigesimal && pair.value === 10 && unit?.kind === 'digit' && unit.value > 6;
  return adds && !pair.ordinal
    ? { value: 10 + unit.value, next: at + 2 }
    : { value: pair.value, next: at + 1 };
}
