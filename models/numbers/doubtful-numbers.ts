// Numbers that are only a part of what is said: decades, estimates, durations and times of which
// the rest is in words. They stay words with it.
import { isArticle, readDigitRun, type NumberRule, type Sentence } from './number-runs.ts';
import { isHourAnnounced, isNounCounted } from './number-phrases.ts';
import { isWhole, type SpokenNumber } from './spoken-numbers.ts';
import { areWords } from './spoken-tokens.ts';

/** @returns what stays as it was spoken; null when the number stands for itself */
export const readDoubtful: NumberRule = (sentence, number) => {
  if (isRest(sentence, number) || isDecade(sentence, number) || isDuration(sentence, number)) {
    return { end: number.end, text: null };
  }
  const end =
    endOfPart(sentence, number) ?? endOfEstimate(sentence, number) ?? endOfClock(sentence, number);
  return end === null ? null : { end, text: null };
};

/** `hundred and fifty`, `a few thousand twenty`: the hundred is no number without one before it. */
function isRest({ tokens, ends, language }: Sentence, { from }: SpokenNumber): boolean {
  // `3 mil millones`, `2,5 mil`: it belongs to what is written in digits already.
  const first = tokens[from]!.numerals[0]?.kind;
  const isScale = first === 'scale' || first === 'hundred';
  if (isScale && tokens[from - 1]?.after === '' && /\d$/.test(tokens[from - 1]!.core)) return true;
  if (language.bareScales) return false;
  const kindAt = (at: number): string | undefined =>
    tokens[at]?.after === '' ? tokens[at].numerals[0]?.kind : undefined;
  const at = kindAt(from - 1) === 'and' ? from - 2 : from - 1;
  const kind = kindAt(at);
  return (kind === 'hundred' || kind === 'scale') && !ends.has(at + 1);
}

/** `the nineteen eighties`. */
function isDecade({ tokens, language }: Sentence, { end }: SpokenNumber): boolean {
  return tokens[end - 1]!.after === '' && language.decades.includes(tokens[end]?.core ?? '');
}

/** `another twenty second pause`, but `the twenty second floor`. */
function isDuration({ tokens, language }: Sentence, { kind, value, end }: SpokenNumber): boolean {
  const last = tokens[end - 1]!;
  const unit = last.core.split('-').at(-1)!;
  if (kind !== 'ordinal' || value < 10 || !language.durations.includes(unit)) return false;
  const word = last.after === '' ? tokens[end]?.core : undefined;
  if (word === undefined) return false;
  const { months, dayJoints, ordinalNouns } = language;
  const isJoined = dayJoints.includes(word);
  // What is a day has been read as one.
  if (isJoined) return months.includes(tokens[end + 1]?.core ?? '');
  return !ordinalNouns.includes(word) && !months.includes(word);
}

/** `twenty to thirty thousand`, `fünf- bis sechshundert`: the thousands may be of both. */
export const readElliptic: NumberRule = (sentence, number) => {
  const { tokens, numbers, language } = sentence;
  const joint = tokens[number.end];
  const second = numbers.get(number.end + 1);
  if (!joint || joint.after !== '' || !/^-?$/.test(tokens[number.end - 1]!.after)) return null;
  if (!second || !isWhole(number) || !isWhole(second)) return null;
  const isShared =
    language.pairJoints.includes(joint.core) &&
    number.value < second.value / lastScale(sentence, second);
  return isShared ||
    isJoinedRest(sentence, number, second) ||
    isBareAmount(sentence, number, second)
    ? { end: second.end, text: null }
    : null;
};

/** `mille e cinquecento`: one number or two of them. */
function isJoinedRest(
  { tokens, language }: Sentence,
  { end, value }: SpokenNumber,
  rest: SpokenNumber,
): boolean {
  if (language.code !== 'it' || tokens[end]!.core !== 'e' || value === 0) return false;
  return value % 100 === 0 && rest.value < (value % 1e3 === 0 ? 1e3 : 100);
}

/** A hundred or a thousand that ends a number; infinite for another number. */
function lastScale({ tokens }: Sentence, { end, value }: SpokenNumber): number {
  // A number in digits has no numerals.
  const last = tokens[end - 1]!.numerals.at(-1);
  const isHundred = value % 100 === 0 && value < 1e3;
  // `cuatrocientos` is one word.
  if (last?.kind === 'hundreds' && isHundred) return 100;
  // `eleven hundred`.
  const isOfHundreds = last?.kind === 'hundred';
  return last && (last.kind === 'scale' || isHundred || isOfHundreds) ? last.value : Infinity;
}

/** `tres con cincuenta`, `tre e cinquanta`: of an amount or a time without its unit. */
function isBareAmount(
  sentence: Sentence,
  { from, end, value }: SpokenNumber,
  second: SpokenNumber,
): boolean {
  const { tokens, language } = sentence;
  const joint = tokens[end]!.core;
  if (isHourAnnounced(sentence, from)) return false;
  if (!language.joinsCents || !language.centJoints.includes(joint)) return false;
  if (second.value < 10 || second.value > 99) return false;
  const isLast = tokens[second.end - 1]!.after !== '' || second.end === tokens.length;
  return !language.pairJoints.includes(joint) || (value < 10 && isLast);
}

/** `half past ten`, `diez y media`, `ten and a half`: a part of it is in words. */
function endOfPart({ tokens, language }: Sentence, number: SpokenNumber): number | null {
  const { from, end, value } = number;
  if (!isWhole(number) || value > 59) return null;
  const { partsBefore, partsAfter } = language.time;
  const stands = (phrase: string, at: number): boolean => areWords(tokens, at, phrase.split(' '));
  if (partsBefore.some((phrase) => stands(phrase, from - phrase.split(' ').length))) return end;
  const after = tokens[end - 1]!.after === '' && partsAfter.find((phrase) => stands(phrase, end));
  return after ? end + after.split(' ').length : null;
}

/** `around ten fifteen people`: two numbers of which neither is exact, and no time. */
function endOfEstimate(sentence: Sentence, low: SpokenNumber): number | null {
  const { tokens, numbers } = sentence;
  const high = numbers.get(low.end);
  if (!high || high.value < 10 || high.value > 99) return null;
  // `twenty thirty people`; a year would be counted by nobody.
  const areTens = low.value % 10 === 0 && high.value === low.value + 10;
  const areWide = low.value === 20 && high.value % 10 === 0 && high.value > low.value;
  const isDoubtful = areTens || (areWide && !isYearExpected(sentence, low.from));
  if (low.value > 12 ? !isDoubtful : high.value > 59) return null;
  if (!isWhole(low) || !isWhole(high) || tokens[low.end - 1]!.after !== '') return null;
  return isNounCounted(sentence, high.end) ? high.end : null;
}

/** `by twenty forty cars will fly`, `the twenty forty goals`; in English, which pairs years. */
function isYearExpected({ tokens, language }: Sentence, from: number): boolean {
  return language.beforeYears?.includes(tokens[from - 1]?.core ?? '') ?? true;
}

/** `ten to four`, `zwanzig nach acht`, `las tres menos veinte`: one of the numbers is small. */
function endOfClock(sentence: Sentence, first: SpokenNumber): number | null {
  const { tokens, numbers, language } = sentence;
  if (!isWhole(first) || first.value > 59 || tokens[first.end - 1]!.after !== '') return null;
  const joint = language.time.beside.find((words) => areWords(tokens, first.end, words));
  const at = first.end + (joint?.length ?? 0);
  const second = joint && tokens[at - 1]!.after === '' ? numbers.get(at) : undefined;
  if (!second || second.value > 59 || second.decimals || second.isWritten) return null;
  if (isArticle(sentence, second)) return null;
  const isJoint = language.pairJoints.includes(joint![0]!);
  // `five to ten`: both are written in digits, but for `it was five to ten`.
  const isSaid = isHourAnnounced(sentence, first.from) && !isNounCounted(sentence, second.end);
  const isHourBefore = isSaid && first.value % 5 === 0 && second.value <= 12;
  const isRange = isJoint && first.value < second.value && !isHourBefore;
  const isHour = (limit: number): boolean => Math.min(first.value, second.value) < limit;
  if (!isHour(isJoint && !isHourBefore ? 10 : 25) || isRange || first.isWritten) return null;
  // `ten to four thirty`.
  const run = readDigitRun(sentence, at);
  return run ? (run.text === null ? run.end : null) : second.end;
}
