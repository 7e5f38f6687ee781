// Numbers with a unit after them: percentages and amounts of money, alone and in pairs.
import { isArticle, readDigitRun, type NumberRule, type Sentence } from './number-runs.ts';
import { readTime } from './number-phrases.ts';
import { currencyText, decimalText, percentText } from './number-text.ts';
import { endOfScales, isWhole, type SpokenNumber } from './spoken-numbers.ts';
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
    const decimals = `${cents.value}`.padStart(2, '0');
    const amount = { value: value + cents.value / 100, decimals };
    return { end: cents.end, text: currencyText(amount, currency, language) };
  }
  const isCoin = language.coins.includes(unit.core) && value > 1;
  return isCoin && !isBare && mantissa === null
    ? { end, text: decimalText(number, language) }
    : null;
};

/** What gives the number before it a unit as well. */
const pairRules: readonly NumberRule[] = [readTime, readPercent, readAmount];

/** `five to ten dollars`, `nine to five p.m.`: both are in digits or in words, as the unit is. */
export const readPair: NumberRule = (sentence, number) => {
  const { tokens, numbers, ends, language } = sentence;
  const { from, end, kind, value, decimals } = number;
  const joint = tokens[end];
  const second = numbers.get(end + 1);
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
    text: text === null ? null : `${text} ${joint.word} ${written.text}`,
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
  const number = numbers.get(isJoined ? at + 1 : at);
  if (!number || !isWhole(number) || number.value > 99) return null;
  const { end, value } = number;
  const next = tokens[end - 1]!.after === '' ? tokens[end] : undefined;
  if (value > 0 && language.cents.includes(next?.core ?? '')) return { value, end: end + 1 };
  if (isJoined && language.code === 'en') return null;
  // `twenty euros ten percent`.
  if (hasUnit(sentence, number)) return null;
  const isShort = value > 9;
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
