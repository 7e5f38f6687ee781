// Numbers that the words around them give a meaning: days, times, percentages and amounts.
import type { Replacement, Sentence } from './digit-runs.ts';
import { readDigitRun } from './digit-runs.ts';
import { currencyText, decimalText, digitsOf, percentText } from './number-text.ts';
import type { SpokenNumber } from './spoken-numbers.ts';
import { areWords } from './spoken-tokens.ts';

/** A rule: what a number with the words around it is written as; null when it is none of these. */
export type NumberRule = (sentence: Sentence, number: SpokenNumber) => Replacement | null;

const isWhole = ({ kind, decimals, mantissa }: SpokenNumber): boolean =>
  kind === 'cardinal' && decimals === '' && mantissa === null;

/** `May fifth`, `the fifth of May`, `cinco de mayo`, `dritter Mai`. */
export const readDay: NumberRule = (sentence, number) => {
  const { tokens, language } = sentence;
  const { from, end, kind, value } = number;
  const { months, doubtfulMonths, dayJoints, dayAfterMonth, ordinalDays } = language;
  if (value < 1 || value > 31 || number.decimals || number.isWritten) return null;
  const isOrdinal = kind === 'ordinal';
  const last = tokens[end - 1]!;
  const text = isOrdinal ? language.ordinal(`${value}`, last.core) : `${value}`;
  const isMonth = (at: number): boolean => {
    const { core, isCapital } = tokens[at] ?? { core: '', isCapital: false };
    const isDoubtful = doubtfulMonths.includes(core);
    return months.includes(core) && (!isDoubtful || (isCapital && isOrdinal));
  };
  const joined = dayJoints.length === 0 ? 0 : dayJoints.includes(tokens[end]?.core ?? '') ? 1 : -1;
  const fits = ordinalDays === isOrdinal || (isOrdinal && value === 1 && !ordinalDays);
  const isCounted = isOrdinal || value > 1 || language.countingOnes.includes(last.core);
  const isBefore = joined >= 0 && last.after === '' && isMonth(end + joined);
  if (isBefore && fits && isCounted) {
    // Spanish writes the first of a month like the other days.
    return { end, text: language.code === 'es' ? `${value}` : text };
  }
  if (!dayAfterMonth || readDigitRun(sentence, from)?.text) return null;
  const monthAt = tokens[from - 1]?.core === 'the' ? from - 2 : from - 1;
  return isMonth(monthAt) && tokens[monthAt]!.after === '' ? { end, text } : null;
};

/** `ten thirty pm`, `acht Uhr dreißig`, `a las ocho y veinte`. */
export const readTime: NumberRule = ({ tokens, numbers, language: { time } }, number) => {
  const { from, end, value: hour } = number;
  if (!isWhole(number) || hour > 24 || tokens[end - 1]!.after !== '') return null;
  const word = tokens[end];
  const minutesAt = (at: number): { text: string; end: number } | null => {
    const zero = numbers.get(at)?.value === 0 ? numbers.get(at) : undefined;
    const minutes = zero ? numbers.get(zero.end) : numbers.get(at);
    const isMinutes = minutes && isWhole(minutes) && minutes.value < 60 && !minutes.isWritten;
    if (!isMinutes || (zero ? !minutes.isDigit : minutes.isDigit)) return null;
    return { text: digitsOf(minutes.value).padStart(2, '0'), end: minutes.end };
  };
  const previous = tokens[from - 1]?.core ?? '';
  const direct = minutesAt(end);
  const half = tokens[direct?.end ?? end];
  if (half && time.halves.includes(half.core) && (!direct || !tokens[direct.end - 1]!.after)) {
    // A full stop that the abbreviation has inside belongs to it.
    const at = direct?.end ?? end;
    const dot = half.core.includes('.') ? '.' : '';
    return { end: at + 1, text: `${time.write(hour, direct?.text ?? null, half.core)}${dot}` };
  }
  if (direct && time.before.includes(previous) && time.halves.length > 0 && hour < 13) {
    return { end: direct.end, text: time.write(hour, direct.text, '') };
  }
  if (!word) return null;
  const spoken = word.word.slice(word.before.length, word.word.length - word.after.length);
  if (time.hour.includes(word.core) && word.after === '') {
    const minutes = minutesAt(end + 1);
    if (minutes) return { end: minutes.end, text: time.write(hour, minutes.text, spoken) };
  }
  if (time.after.includes(word.core)) {
    const isPoint = time.before.length === 0 || time.before.includes(previous) || hour > 9;
    return isPoint || time.hour.length === 0
      ? { end: end + 1, text: time.write(hour, null, spoken) }
      : null;
  }
  if (time.between.includes(word.core) && time.before.includes(previous)) {
    const minutes = minutesAt(end + 1);
    if (minutes) return { end: minutes.end, text: time.write(hour, minutes.text, '') };
  }
  return null;
};

/** `five percent`. */
export const readPercent: NumberRule = ({ tokens, language }, number) => {
  const { end, kind, mantissa } = number;
  if (kind === 'ordinal' || mantissa !== null || tokens[end - 1]!.after !== '') return null;
  const sign = language.percent.find((words) => areWords(tokens, end, words));
  return sign ? { end: end + sign.length, text: percentText(number, language) } : null;
};

/** `five dollars and fifty cents`, `zwanzig Euro fünfzig`, `two million dollars`. */
export const readAmount: NumberRule = (sentence, number) => {
  const { tokens, language } = sentence;
  const { from, end, kind, value, mantissa, isBare } = number;
  if (kind === 'ordinal' || tokens[end - 1]!.after !== '') return null;
  const isScaled = mantissa === null && number.decimals !== '' && isScale(sentence, end);
  const unitAt = isScaled ? end + 1 : end;
  const unit = tokens[unitAt];
  if (!unit || (value === 1 && !language.countingOnes.includes(tokens[from]!.core))) return null;
  const currency = Object.hasOwn(language.currencies, unit.core)
    ? language.currencies[unit.core]
    : undefined;
  if (currency && (mantissa !== null || isScaled)) {
    if (language.code !== 'en' || isBare) return null;
    const scale = tokens[isScaled ? end : end - 1]!.core;
    const amount = isScaled ? number : { ...number, value: mantissa! };
    return { end: unitAt + 1, text: `${currencyText(amount, currency, language)} ${scale}` };
  }
  if (currency) {
    const cents = centsAfter(sentence, unitAt + 1);
    const amount = cents ? { ...number, ...cents, value: value + cents.value / 100 } : number;
    return { end: cents?.end ?? end + 1, text: currencyText(amount, currency, language) };
  }
  const isCoin = language.coins.includes(unit.core) && value > 1;
  return isCoin && !isBare && mantissa === null
    ? { end, text: decimalText(number, language) }
    : null;
};

function isScale({ tokens }: Sentence, at: number): boolean {
  const [part] = tokens[at]?.numerals ?? [];
  return part?.kind === 'scale' && part.value >= 1e6 && tokens[at]!.after === '';
}

/** Cents after an amount, with their joint and their word where they are spoken. */
function centsAfter(
  { tokens, numbers, language }: Sentence,
  at: number,
): { readonly value: number; readonly end: number; readonly decimals: string } | null {
  if (tokens[at - 1]!.after !== '') return null;
  const isJoined = language.centJoints.includes(tokens[at]?.core ?? '');
  const number = numbers.get(isJoined ? at + 1 : at);
  if (!number || !isWhole(number) || number.value < 1 || number.value > 99) return null;
  const isNamed = tokens[number.end - 1]!.after === '';
  const hasWord = isNamed && language.cents.includes(tokens[number.end]?.core ?? '');
  const isShort = !number.isDigit && (!isJoined || language.code !== 'en');
  // `five dollars, twenty people`: without their word, cents end the phrase.
  const isLast = tokens[number.end] === undefined || !isNamed;
  if (!hasWord && !(isShort && isLast)) return null;
  const end = hasWord ? number.end + 1 : number.end;
  return { value: number.value, end, decimals: `${number.value}`.padStart(2, '0') };
}
