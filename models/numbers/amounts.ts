// Numbers with a unit after them: percentages and amounts of money, alone and in pairs.
import {
  isArticle,
  readDigitRun,
  type NumberRule,
  type Replacement,
  type Sentence,
} from './number-runs.ts';
import { articleAfter, readTime } from './number-phrases.ts';
import { currencyText, decimalText, percentText } from './number-text.ts';
import { articleNumber, endOfScales, isWhole, type SpokenNumber } from './spoken-numbers.ts';
import { areWords } from './spoken-tokens.ts';

/** `five percent`. */
export const readPercent: NumberRule = ({ tokens, language }, number) => {
  const { end, kind, mantissa } = number;
  if (kind === 'ordinal' || mantissa !== null || tokens[end - 1]!.after !== '') return null;
  const sign = language.percent.find((words) => areWords(tokens, end, words));
  if (!sign) return null;
  // `un appareil neuf pour cent euros`.
  const next = tokens[end + sign.length - 1]!.after === '' ? tokens[end + sign.length] : undefined;
  if (Object.hasOwn(language.currencies, next?.core ?? '')) return null;
  return { end: end + sign.length, text: percentText(number, language) };
};

const beforeDecimals: ReadonlySet<string> = new Set(
  (
    'by about around only just of is was to than or and nearly almost roughly under over ' +
    'um por de y unos solo menos de environ seulement ou et di circa solo o e um nur etwa oder und'
  ).split(' '),
);

/** `point five percent`: without its zero it is a number only before a unit. */
export function readBareDecimals(sentence: Sentence, at: number): Replacement | null {
  const { tokens, numbers, language } = sentence;
  const point = tokens[at]!;
  if (point.after !== '' || !Object.hasOwn(language.points, point.core)) return null;
  // `at this point five percent remain`.
  const before = tokens[at - 1];
  if (before?.after === '' && !beforeDecimals.has(before.core)) return null;
  let decimals = '';
  let end = at + 1;
  for (let digit = numbers.get(end); digit?.isDigit; digit = numbers.get(end)) {
    decimals += digit.value;
    end = digit.end;
    if (tokens[end - 1]!.after !== '') break;
  }
  if (decimals === '') return null;
  const value = Number(`0.${decimals}`);
  const zero = { ...articleNumber(at), end, value, decimals, point: language.points[point.core]! };
  return readPercent(sentence, zero);
}

/** `five dollars and fifty cents`, `zwanzig Euro fünfzig`, `two million dollars`. */
export const readAmount: NumberRule = (sentence, number) => {
  const { tokens, language } = sentence;
  const { end, value, mantissa, isBare } = number;
  const { unitAt, currency } = unitOf(sentence, number);
  const unit = tokens[unitAt];
  if (!unit) return null;
  if (currency && (mantissa !== null || unitAt > end)) {
    const text = scaledText(sentence, number, currency);
    return text === null ? null : { end: unitAt + 1, text };
  }
  if (currency) {
    const cents = centsAfter(sentence, unitAt + 1);
    if (cents?.value === null) return { end: cents.end, text: null };
    if (!cents) {
      if (isArticle(sentence, number)) return null;
      return { end: end + 1, text: currencyText(number, currency, language) };
    }
    return { end: cents.end, text: textWithCents(sentence, value + cents.value / 100, currency) };
  }
  const priced = pricedText(sentence, number);
  if (priced) return priced;
  const isCoin = language.coins.includes(unit.core) && value > 1;
  return isCoin && !isBare && mantissa === null
    ? { end, text: decimalText(number, language) }
    : null;
};

/** More are no ounces: a child of `seven pounds eleven`. */
const maxOunces = 15;

/** `five pounds fifty`: of a word that is also a weight. */
function pricedText(sentence: Sentence, { end, value, mantissa, kind }: SpokenNumber) {
  const { tokens, language } = sentence;
  const unit = tokens[end]!.core;
  if (!Object.hasOwn(language.pricedCurrencies, unit) || mantissa !== null) return null;
  if (kind === 'ordinal' || tokens[end - 1]!.after !== '') return null;
  const cents = centsAfter(sentence, end + 1);
  if (cents === null || cents.value === null) return null;
  if (cents.value <= maxOunces && !language.cents.includes(tokens[cents.end - 1]!.core))
    return null;
  const currency = language.pricedCurrencies[unit]!;
  return { end: cents.end, text: textWithCents(sentence, value + cents.value / 100, currency) };
}

function textWithCents({ language }: Sentence, value: number, currency: string): string {
  return currencyText({ value, decimals: value.toFixed(2).slice(-2) }, currency, language);
}

/** What gives the number before it a unit as well. */
const pairRules: readonly NumberRule[] = [readTime, readPercent, readAmount];

/** `five to ten dollars`, `nine to five p.m.`: both are in digits or in words, as the unit is. */
export const readPair: NumberRule = (sentence, number) => {
  const { tokens, numbers, ends, language } = sentence;
  const { from, end, kind, value, decimals } = number;
  const joint = tokens[end];
  const article = articleAfter(sentence, end);
  const second = numbers.get(article ? end + 2 : end + 1);
  if (!joint || !second || kind === 'ordinal') return null;
  if (tokens[end - 1]!.after !== '' || joint.after !== '') return null;
  if (!language.pairJoints.includes(joint.core)) return null;
  const previous = tokens[from - 1];
  // `page five and ten dollars`; `five, ten or fifteen dollars`.
  if (ends.has(from) || (previous && language.labels.includes(previous.core))) return null;
  const written = pairRules.map((rule) => rule(sentence, second)).find((each) => each !== null);
  if (!written || written.text === null) return written ?? null;
  if (value < 2 && decimals === '') {
    // `this one and ten dollars`.
    return joint.core === language.pairJoints.at(-1) ? null : { end: written.end, text: null };
  }
  const text = firstText(sentence, number, second);
  return {
    end: written.end,
    text:
      text === null ? null : [text, joint.word, article, written.text].filter(Boolean).join(' '),
  };
};

/** The first number of a pair, with the sign of the second where that is before it. */
function firstText(sentence: Sentence, first: SpokenNumber, second: SpokenNumber): string | null {
  const { language } = sentence;
  const { currency } = unitOf(sentence, second);
  if (first.mantissa !== null) return currency ? scaledText(sentence, first, currency) : null;
  if (!currency) return decimalText(first, language);
  return currencyText(first, currency, language).replace(/ \p{Sc}$/u, '');
}

interface Unit {
  readonly unitAt: number;
  readonly currency: string | undefined;
}

/** What a number is of, also when its million is apart: `three point two billion dollars`. */
function unitOf({ tokens, language }: Sentence, number: SpokenNumber): Unit {
  const { end, kind, mantissa } = number;
  if (kind === 'ordinal' || tokens[end - 1]!.after !== '')
    return { unitAt: Infinity, currency: undefined };
  const unitAt = mantissa === null ? endOfScales(tokens, number) : end;
  const word = tokens[unitAt]?.core ?? '';
  const isCurrency = Object.hasOwn(language.currencies, word);
  return { unitAt, currency: isCurrency ? language.currencies[word] : undefined };
}

/** `$2 million`; null where amounts of millions keep the word for their currency. */
function scaledText(
  { tokens, language }: Sentence,
  number: SpokenNumber,
  currency: string,
): string | null {
  if (language.code !== 'en' || number.isBare) return null;
  const { end, mantissa, value } = number;
  const scale = tokens[mantissa === null ? end : end - 1]!.core;
  return `${currencyText({ ...number, value: mantissa ?? value }, currency, language)} ${scale}`;
}

interface Cents {
  /** Null when what follows may be cents or not. */
  readonly value: number | null;
  readonly end: number;
}

/** Cents after an amount, with their joint and their word where they are spoken. */
function centsAfter(sentence: Sentence, at: number): Cents | null {
  const { tokens, numbers, language } = sentence;
  if (tokens[at - 1]!.after !== '') return null;
  const isJoined = language.centJoints.includes(tokens[at]?.core ?? '');
  const first = numbers.get(isJoined ? at + 1 : at);
  // `zwölf Euro null fünf`.
  const digit = first?.value === 0 && !tokens[first.end - 1]!.after ? numbers.get(first.end) : null;
  const number = digit?.isDigit && digit.value > 0 ? digit : first;
  if (!number || !isWhole(number) || number.value > 99) return null;
  const { end, value } = number;
  const next = tokens[end - 1]!.after === '' ? tokens[end] : undefined;
  if (value > 0 && language.cents.includes(next?.core ?? '')) return { value, end: end + 1 };
  if (isJoined && language.code === 'en') return null;
  // `twenty euros ten percent`.
  if (hasUnit(sentence, number)) return null;
  const isShort = value > 9 || number !== first;
  if (value > 1 && !isShort && !next) return { value, end };
  if (isShort && (!next || isAfterCents(sentence, end))) return { value, end };
  // `fünfzig Euro und zwanzig Leute`, `twenty dollars one time`.
  if ((isJoined && !language.joinsCents) || (!isShort && next && value > 0)) return null;
  return { value: null, end: readDigitRun(sentence, number.from)?.end ?? end };
}

/** `a month`: the number before it counts nothing that follows. */
function isAfterCents(sentence: Sentence, at: number): boolean {
  const { tokens, numbers, language } = sentence;
  // `l'heure` is one word.
  const [word = ''] = tokens[at]!.core.split(/['’]/);
  const other = language.pairJoints.includes(word) ? numbers.get(at + 1) : undefined;
  // `five dollars fifty to six dollars`, `five dollars twenty to thirty people`.
  if (other) return unitOf(sentence, other).currency !== undefined;
  return language.afterCents.includes(word);
}

function hasUnit(sentence: Sentence, number: SpokenNumber): boolean {
  const { unitAt, currency } = unitOf(sentence, number);
  const isCoin = sentence.language.coins.includes(sentence.tokens[unitAt]?.core ?? '');
  return currency !== undefined || isCoin || readPercent(sentence, number) !== null;
}
