// Numbers that the words around them make a day or a time.
import { isArticle, readDigitRun, type NumberRule, type Sentence } from './number-runs.ts';
import { digitsOf } from './number-text.ts';
import { isWhole, type SpokenNumber } from './spoken-numbers.ts';
import { areWords } from './spoken-tokens.ts';

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
    return { end, text: dayText(sentence, number) };
  }
  if (!dayAfterMonth || readDigitRun(sentence, from)?.text) return null;
  const monthAt = tokens[from - 1]?.core === 'the' ? from - 2 : from - 1;
  // `in June two people left`.
  const isMonthAlone = tokens[monthAt - 1]?.core === 'in';
  const isDay = isMonth(monthAt) && tokens[monthAt]!.after === '' && !isMonthAlone;
  return isDay ? { end, text } : null;
};

/** `on the first and second of May`, `du cinq au dix mai`: both are days. */
export const readDays: NumberRule = (sentence, first) => {
  const { tokens, numbers, language } = sentence;
  const { end, value, kind } = first;
  const joint = tokens[end];
  if (!joint || tokens[end - 1]!.after !== '' || joint.after !== '') return null;
  if (!language.pairJoints.includes(joint.core) || value < 1 || value > 31) return null;
  const article = articleAfter(sentence, end);
  const second = numbers.get(article === null ? end + 1 : end + 2);
  const isAlike = second?.kind === kind || (kind === 'ordinal' && value === 1);
  if (!second || !isAlike || first.decimals || first.isWritten) return null;
  const last = readDay(sentence, second);
  if (!last || last.text === null) return null;
  const text = [dayText(sentence, first), joint.word, article, last.text].filter(Boolean).join(' ');
  return { end: last.end, text };
};

function dayText({ tokens, language }: Sentence, { kind, value, end }: SpokenNumber): string {
  // Spanish writes the first of a month like the other days.
  if (kind === 'cardinal' || language.code === 'es') return `${value}`;
  return language.ordinal(`${value}`, tokens[end - 1]!.core);
}

/** `entre el cinco y el diez por ciento`: that of the second number; null without. */
export function articleAfter({ tokens, language }: Sentence, joint: number): string | null {
  const [before, after] = [tokens[joint]?.after, tokens[joint + 1]];
  if (before !== '' || after?.after !== '') return null;
  return language.pairArticles.includes(after.core) ? after.word : null;
}

/** Before a day whose month is a number too. */
const beforeDates: ReadonlySet<string> = new Set('am vom zum'.split(' '));

/** `am dritten vierten neunzehnhundertachtzig`. */
export const readNumberedMonth: NumberRule = ({ tokens, numbers, language }, day) => {
  const { from, end, kind, value } = day;
  const month = numbers.get(end);
  const isDay = kind === 'ordinal' && value <= 31 && beforeDates.has(tokens[from - 1]?.core ?? '');
  if (language.code !== 'de' || !isDay || month?.kind !== 'ordinal' || month.value > 12)
    return null;
  if (tokens[end - 1]!.after !== '') return null;
  const year = tokens[month.end - 1]!.after === '' ? numbers.get(month.end) : undefined;
  const isYear = year && isWhole(year) && (year.value < 100 ? year.value > 9 : year.value > 1e3);
  const date = `${value}.${month.value}.`;
  return isYear ? { end: year.end, text: `${date}${year.value}` } : { end: month.end, text: date };
};

/** `ten thirty pm`, `acht Uhr dreißig`, `a las ocho y veinte`. */
export const readTime: NumberRule = (sentence, number) => {
  const { tokens, language } = sentence;
  const { from, end, value: hour } = number;
  if (!isWhole(number) || hour > 24 || tokens[end - 1]!.after !== '') return null;
  // `eine Uhr` is a clock.
  const isInflected = hour === 1 && tokens[from]!.core !== 'ein';
  if (language.code === 'de' && isInflected && !number.isWritten) return null;
  const time = timeInDigits(sentence, number) ?? timeWithWords(sentence, number);
  // `a las diez y veinte personas llegaron`.
  const isDoubtful =
    time !== null && sentence.ends.has(time.end) && isNounCounted(sentence, time.end);
  return isDoubtful ? { end: time.end, text: null } : time;
};

/** Whether a noun in the plural follows a number directly. */
export function isNounCounted({ tokens, language }: Sentence, at: number): boolean {
  const noun = tokens[at];
  if (noun === undefined || tokens[at - 1]!.after !== '') return false;
  // German nouns have a capital, others are names with one.
  return (!noun.isCapital || language.code === 'de') && language.isPlural(noun.core);
}

/** Whether what is before an hour announces one: `at`, `it is`, `a las`. */
export function isHourAnnounced({ tokens, language }: Sentence, from: number): boolean {
  // `all'una`, `l'una`.
  if (language.elision?.test(tokens[from]?.before ?? '')) return true;
  return language.time.before.some((phrase) => {
    const words = phrase.split(' ');
    return areWords(tokens, from - words.length, words);
  });
}

interface Minutes {
  readonly text: string;
  readonly end: number;
}

/** Minutes of two digits: `thirty`, `oh five`. */
function minutesAt({ numbers }: Sentence, at: number): Minutes | null {
  const zero = numbers.get(at)?.value === 0 ? numbers.get(at) : undefined;
  const minutes = zero ? numbers.get(zero.end) : numbers.get(at);
  const isMinutes = minutes && isWhole(minutes) && minutes.value < 60 && !minutes.isWritten;
  if (!isMinutes || (zero ? !minutes.isDigit : minutes.isDigit)) return null;
  return { text: digitsOf(minutes.value).padStart(2, '0'), end: minutes.end };
}

/** Hour and minutes beside each other, or an hour with its half of the day. */
function timeInDigits(sentence: Sentence, { from, end, value: hour }: SpokenNumber) {
  const { tokens, language } = sentence;
  const { time } = language;
  const direct = minutesAt(sentence, end);
  const half = tokens[direct?.end ?? end];
  if (half && time.halves.includes(half.core) && (!direct || !tokens[direct.end - 1]!.after)) {
    // A full stop that the abbreviation has inside belongs to it.
    const at = direct?.end ?? end;
    const dot = half.core.includes('.') ? '.' : '';
    return { end: at + 1, text: `${time.write(hour, direct?.text ?? null, half.core)}${dot}` };
  }
  if (!direct || isOtherThanTime(sentence, from, direct.end)) return null;
  if (!isHourAnnounced(sentence, from) && !isAfterTime(sentence, from)) return null;
  // Where hours and minutes are joined, only those of railways are not: `las dieciocho treinta`.
  const isRailway = time.between.length > 0 || tokens[from - 1]?.core === 'at';
  const isUsual = hour > 12 ? isRailway : time.between.length === 0 && time.halves.length > 0;
  return isUsual ? { end: direct.end, text: time.write(hour, direct.text, '') } : null;
}

/** `five thirty` of `from nine thirty to five thirty`: both are written alike. */
function isAfterTime(sentence: Sentence, from: number): boolean {
  const { tokens, numbers, ends, language } = sentence;
  const joint = tokens[from - 1];
  if (!joint || joint.after !== '' || !language.pairJoints.includes(joint.core)) return false;
  if (!ends.has(from - 1) || tokens[from - 2]!.after !== '') return false;
  const all = [...numbers.values()];
  const minutes = all.find(({ end }) => end === from - 1)!;
  const hour = all.find(({ end }) => end === minutes.from);
  if (!hour || tokens[hour.end - 1]!.after !== '' || hour.value > 24) return false;
  return isHourAnnounced(sentence, hour.from) && minutesAt(sentence, hour.end) !== null;
}

/** What counts or prices: `it's nine fifty each`. */
const afterPrices: ReadonlySet<string> = new Set('each per apiece plus'.split(' '));
/** After `it's` too; `at nine fifty a man came`. */
const afterStatedPrices: ReadonlySet<string> = new Set('a an every'.split(' '));
const statements = ['it is', 'it was', "it's", 'it’s'];
const streets: ReadonlySet<string> = new Set(
  'street st avenue ave road rd lane drive boulevard court place terrace crescent'.split(' '),
);
const maxStreetWords = 3;

/** Whether hour and minutes are part of a telephone number, a price or an address. */
function isOtherThanTime(sentence: Sentence, from: number, end: number): boolean {
  const { tokens, numbers, language } = sentence;
  const run = readDigitRun(sentence, from);
  if (run && run.text !== null && run.end > end) return true;
  const next = tokens[end];
  if (language.code !== 'en' || !next || tokens[end - 1]!.after !== '') return false;
  const isStated = statements.some((words) => {
    const said = words.split(' ');
    return areWords(tokens, from - said.length, said);
  });
  if (afterPrices.has(next.core) || (isStated && afterStatedPrices.has(next.core))) return true;
  // A blood pressure.
  if (next.core === 'over') return numbers.has(end + 1);
  const name = tokens.slice(end, end + maxStreetWords);
  const street = name.findIndex(({ core }) => streets.has(core));
  return street > 0 && name.slice(0, street).every(({ isCapital }) => isCapital);
}

/** `de neuf heures à dix-sept heures`: both are written alike. */
function isBeforeHour({ tokens, numbers, language }: Sentence, at: number): boolean {
  const hour = numbers.get(at + 1);
  if (!hour || hour.value < 10 || tokens[at - 1]!.after !== '') return false;
  if (tokens[at]!.core !== language.pairJoints[0]) return false;
  return language.time.after.includes(tokens[hour.end]?.core ?? '');
}

/** An hour with the words for it, and its minutes. */
function timeWithWords(sentence: Sentence, { from, end, value: hour }: SpokenNumber) {
  const { tokens, numbers, language } = sentence;
  const { time } = language;
  const word = tokens[end];
  if (!word) return null;
  const small = numbers.get(end + 1);
  const isMinute = small?.isDigit && small.value > 0 && small.kind === 'cardinal';
  const digit = isMinute && !isArticle(sentence, small) ? small : undefined;
  const spoken = word.word.slice(word.before.length, word.word.length - word.after.length);
  if (time.hour.includes(word.core) && word.after === '') {
    const minutes = minutesAt(sentence, end + 1);
    // `vingt-quatre heures trente minutes` is a duration.
    const isDuration = minutes && tokens[minutes.end]?.core.startsWith('minut');
    if (minutes && !isDuration)
      return { end: minutes.end, text: time.write(hour, minutes.text, spoken) };
    if (digit) {
      // `acht Uhr fünf Leute`.
      const isLast = tokens[digit.end - 1]!.after !== '' || digit.end === tokens.length;
      const text = isLast ? time.write(hour, `0${digit.value}`, spoken) : null;
      return { end: digit.end, text };
    }
  }
  const isAnnounced = isHourAnnounced(sentence, from);
  if (time.after.includes(word.core)) {
    const isPoint =
      time.before.length === 0 || isAnnounced || hour > 9 || isBeforeHour(sentence, end + 1);
    return isPoint || time.hour.length === 0
      ? { end: end + 1, text: time.write(hour, null, spoken) }
      : null;
  }
  if (time.between.includes(word.core) && isAnnounced) {
    const minutes = minutesAt(sentence, end + 1);
    if (minutes) return { end: minutes.end, text: time.write(hour, minutes.text, '') };
    if (digit) return { end: digit.end, text: null };
  }
  return null;
}
