// Finds the numbers in a sentence, each as long as the grammar of its language allows.
import type { NumberLanguage } from './number-language.ts';
import { isDigitPart, parseBelowThousand, parseNumber, type Part } from './numeral-grammar.ts';
import type { SpokenToken } from './spoken-tokens.ts';

export interface SpokenNumber {
  /** Tokens that it consists of; the end is exclusive. */
  readonly from: number;
  readonly end: number;
  readonly value: number;
  readonly kind: 'cardinal' | 'ordinal';
  /** 0 to 9 in one word. */
  readonly isDigit: boolean;
  /** A hundred, a thousand or a million, which is often not meant exactly. */
  readonly isBare: boolean;
  /** The part before a million or a higher word, when nothing follows it; otherwise null. */
  readonly mantissa: number | null;
  /** Decimals, as digits; '' without any. */
  readonly decimals: string;
  readonly point: ',' | '.';
  /** Written in digits already. */
  readonly isWritten: boolean;
}

/** A cardinal number without decimals, in full. */
export function isWhole({ kind, decimals, mantissa }: SpokenNumber): boolean {
  return kind === 'cardinal' && decimals === '' && mantissa === null;
}

/** @returns numbers by the token that they start with */
export function findNumbers(
  tokens: readonly SpokenToken[],
  language: NumberLanguage,
): ReadonlyMap<number, SpokenNumber> {
  const found = new Map<number, SpokenNumber>();
  const places = placesOf(tokens);
  for (let at = 0; at < tokens.length;) {
    const number = writtenNumber(tokens, at) ?? spokenNumber({ tokens, places }, at, language);
    if (number) found.set(at, number);
    at = number ? endOfScales(tokens, number) : at + 1;
  }
  return found;
}

/** `three point two billion`, `dos coma cinco mil millones`: scales after decimals stay words. */
export function endOfScales(
  tokens: readonly SpokenToken[],
  { decimals, end }: Pick<SpokenNumber, 'decimals' | 'end'>,
): number {
  const isScale = (at: number): boolean =>
    tokens[at - 1]!.after === '' && tokens[at]?.numerals[0]?.kind === 'scale';
  let after = end;
  while (decimals !== '' && isScale(after)) after += 1;
  return after;
}

const plain = { isDigit: false, isBare: false, mantissa: null, decimals: '', point: '.' } as const;

/** The one in `a dollar fifty`. */
export function articleNumber(from: number): SpokenNumber {
  return { ...plain, from, end: from + 1, value: 1, kind: 'cardinal', isWritten: false };
}

function writtenNumber(tokens: readonly SpokenToken[], from: number): SpokenNumber | null {
  const { core, before } = tokens[from]!;
  if (!/^\d{1,12}$/.test(core) || /[^"'“‘«(¿¡]/.test(before)) return null;
  const isWritten = true;
  return { ...plain, from, end: from + 1, value: Number(core), kind: 'cardinal', isWritten };
}

function withoutUnits(language: NumberLanguage): NumberLanguage {
  return { ...language, joints: language.joints.filter((joint) => joint !== 'units') };
}

function spokenNumber(
  sentence: PlacedTokens,
  from: number,
  language: NumberLanguage,
): SpokenNumber | null {
  const { parts, at } = sentence.places[from]!;
  // `zwischen fünf und zwanzig` are two.
  const isRange = sentence.tokens[from - 1]?.core === 'zwischen';
  const parsed = parseNumber(parts, at, isRange ? withoutUnits(language) : language);
  if (!parsed) return null;
  const last = parts[parsed.next - 1]!;
  // A word of which only a part belongs to the number, such as `and` at its end, is none.
  if (last.kind === 'and' || parts[parsed.next]?.token === last.token) return null;
  const { value, isBare, mantissa } = parsed;
  const isDigit = parsed.next === at + 1 && value < 10;
  const number = {
    ...{ ...plain, from, end: last.token + 1, value, isDigit, isBare, mantissa },
    ...({ kind: last.ordinal ? 'ordinal' : 'cardinal', isWritten: false } as const),
  };
  return last.ordinal ? number : withDecimals(number, sentence, language);
}

interface Place {
  /** The numerals of neighbouring tokens, with no mark and no other word between them. */
  readonly parts: Part[];
  /** The first one of the token. */
  readonly at: number;
}

interface PlacedTokens {
  readonly tokens: readonly SpokenToken[];
  /** Of each token. */
  readonly places: readonly Place[];
}

function placesOf(tokens: readonly SpokenToken[]): readonly Place[] {
  let parts: Part[] = [];
  return tokens.map(({ numerals, before }, token) => {
    const previous = tokens[token - 1];
    const isNext =
      before === '' &&
      previous?.after === '' &&
      previous.numerals.length > 0 &&
      !numerals.some(({ isAlone }) => isAlone);
    if (!isNext) parts = [];
    const at = parts.length;
    parts.push(...numerals.map((numeral) => ({ ...numeral, token })));
    return { parts, at };
  });
}

/** The number with the decimals that are spoken after it: single digits, or one number. */
function withDecimals(
  number: SpokenNumber,
  { tokens, places }: PlacedTokens,
  language: NumberLanguage,
): SpokenNumber {
  const { end } = number;
  const word = tokens[end];
  const point = word && Object.hasOwn(language.points, word.core) && language.points[word.core];
  if (!point || number.mantissa !== null || tokens[end - 1]!.after || word.after) return number;
  const { parts, at } = places[end + 1] ?? { parts: [], at: 0 };
  const { decimals, next } = decimalsAt({ parts, at }, language);
  const last = parts[next - 1];
  if (decimals === '' || !last || parts[next]?.token === last.token) return number;
  const value = Number(`${number.value}.${decimals}`);
  return { ...number, ...{ end: last.token + 1, value, decimals, point, isDigit: false } };
}

function decimalsAt({ parts, at }: Place, language: NumberLanguage) {
  let decimals = '';
  let next = at;
  for (let spoken = parseBelowThousand(parts, next, language); spoken && !spoken.isOrdinal;) {
    const isSingle = isDigitPart(parts[next]) && spoken.next === next + 1;
    // After the zeros of `zero twenty-five` there is one number, and none after other digits.
    const isNumber = /^0*$/.test(decimals) && !spoken.isBare && !spoken.isArticle;
    if (!isSingle && !isNumber) break;
    decimals += spoken.value;
    next = spoken.next;
    spoken = isSingle ? parseBelowThousand(parts, next, language) : null;
  }
  return { decimals, next };
}
