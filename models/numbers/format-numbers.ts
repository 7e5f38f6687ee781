// Inverse text normalisation: spoken numbers of a sentence in digits, as people write them. Doubt
// leaves words: nothing but a number that is meant as one changes (docs/adr/0048).
import { readAmount, readBareDecimals, readPair, readPercent } from './amounts.ts';
import { readDigitRun, type NumberRule, type Replacement, type Sentence } from './number-runs.ts';
import { readDoubtful, readElliptic } from './doubtful-numbers.ts';
import { writtenLanguages } from './languages.ts';
import {
  isHourAnnounced,
  readDay,
  readDays,
  readNumberedMonth,
  readTime,
} from './number-phrases.ts';
import { decimalText } from './number-text.ts';
import { articleNumber, findNumbers, type SpokenNumber } from './spoken-numbers.ts';
import { toTokens } from './spoken-tokens.ts';

/** Smaller numbers are written as words, unless something makes them an amount, a day or a code. */
const minPlain = 10;

/**
 * @param words of a sentence or a longer text, with their marks
 * @param code ISO 639-1; a language without rules keeps its words
 * @returns the text, its words separated by blanks
 */
export function formatNumbers(words: readonly string[], code: string): string {
  const language = Object.hasOwn(writtenLanguages, code) ? writtenLanguages[code] : undefined;
  if (!language) return words.join(' ');
  const tokens = toTokens(words, language);
  const numbers = findNumbers(tokens, language);
  const ends = new Set([...numbers.values()].map(({ end }) => end));
  const sentence = { language, tokens, numbers, ends };
  const written: string[] = [];
  for (let at = 0; at < tokens.length;) {
    const replacement = replacementAt(sentence, at) ?? { end: at + 1, text: null };
    const { end, text } = replacement;
    const spoken = tokens.slice(at, end).map(({ word }) => word);
    written.push(...(text === null ? spoken : [withMarks(sentence, at, { end, text })]));
    at = end;
  }
  return written.join(' ');
}

const maxVersion = 999;

/** `three point one point four`. */
const readVersion: NumberRule = (
  { tokens, numbers, language },
  { end, value, decimals, point },
) => {
  if (decimals === '' || point !== '.') return null;
  const parts = [Math.floor(value), decimals];
  let at = end;
  for (let next = numbers.get(at + 1); next; next = numbers.get(at + 1)) {
    const word = tokens[at]!;
    if (tokens[at - 1]!.after || word.after || !Object.hasOwn(language.points, word.core)) break;
    // `one point two point three million`.
    const isPart = next.kind !== 'ordinal' && next.mantissa === null && next.value <= maxVersion;
    if (!isPart) return { end: next.end, text: null };
    parts.push(Math.floor(next.value), ...(next.decimals ? [next.decimals] : []));
    at = next.end;
  }
  return at === end ? null : { end: at, text: parts.join('.') };
};

/** The first one that fits counts: what is doubtful is no time and no amount. */
const rules: readonly NumberRule[] = [
  readVersion,
  readNumberedMonth,
  readDay,
  readDays,
  readElliptic,
  readPair,
  readDoubtful,
  readTime,
  readPercent,
  readAmount,
];

function withMarks(
  { tokens }: Sentence,
  from: number,
  { end, text }: { readonly end: number; readonly text: string },
): string {
  const { before } = tokens[from]!;
  const { after } = tokens[end - 1]!;
  // `p.m.` at the end of a sentence has one full stop.
  const rest = text.endsWith('.') && after.startsWith('.') ? after.slice(1) : after;
  return `${before}${text}${rest}`;
}

function replacementAt(sentence: Sentence, at: number): Replacement | null {
  const number = sentence.numbers.get(at);
  if (!number) {
    // `a dollar fifty`, `double five` start with a word.
    const isArticle = sentence.tokens[at]!.numerals[0]?.kind === 'article';
    const amount = isArticle
      ? readAmount(sentence, articleNumber(at))
      : readBareDecimals(sentence, at);
    return amount ?? (sentence.numbers.has(at + 1) ? startedRun(sentence, at) : null);
  }
  for (const rule of rules) {
    const phrase = rule(sentence, number);
    if (phrase) return phrase;
  }
  const run = readDigitRun(sentence, at);
  if (run) return run;
  if (number.isWritten) return null;
  const { end } = number;
  const next = otherHalf(sentence, number);
  if (next) return { end: next.end, text: joinedOrdinal(sentence, number, next) };
  return isFormatted(sentence, number)
    ? { end, text: plainText(sentence, number) }
    : { end, text: null };
}

/** `dix-sept cents`, `trigésimo primero`: two numbers that may be one. */
function otherHalf(
  { tokens, numbers }: Sentence,
  { end, kind }: SpokenNumber,
): SpokenNumber | undefined {
  const next = tokens[end - 1]!.after === '' ? numbers.get(end) : undefined;
  return next?.kind === kind && !next.isWritten ? next : undefined;
}

/** `vigésimo quinto`; null for other numbers. */
function joinedOrdinal(
  { tokens, language }: Sentence,
  { kind, value }: SpokenNumber,
  { end, value: rest }: SpokenNumber,
): string | null {
  const last = tokens[end - 1]!.core;
  const isJoined = kind === 'ordinal' && value >= 10 && value % 10 === 0 && rest < 10;
  // `primer` has another ending.
  if (language.code !== 'es' || !isJoined || !/[oa]$/.test(last)) return null;
  return language.ordinal(`${value + rest}`, last);
}

/** A run of digits whose first one is repeated. */
function startedRun(sentence: Sentence, at: number): Replacement | null {
  const run = readDigitRun(sentence, at);
  return run && run.text !== null ? run : null;
}

function isFormatted(sentence: Sentence, number: SpokenNumber): boolean {
  if (isPlain(sentence, number) || isTemperature(sentence, number)) return true;
  const { tokens, numbers, language } = sentence;
  const { from, end, kind, value } = number;
  if (kind === 'ordinal' || number.isBare || value === 0) return false;
  const isCounted = value > 1 || language.countingOnes.includes(tokens[from]!.core);
  const isAfterMark = (tokens[from - 1]?.after ?? '.') !== '';
  if (!isAfterMark && isCounted && language.labels.includes(tokens[from - 1]!.core)) return true;
  if (value < 2 || tokens[end - 1]!.after !== '') return false;
  // `five to ten`: both are written alike.
  const joint = tokens[end];
  const areHours = isHourAnnounced(sentence, from) && isHourAnnounced(sentence, end + 2);
  const other = numbers.get(areHours ? end + 2 : end + 1);
  const isJoined = joint?.after === '' && language.pairJoints.includes(joint.core);
  return isJoined && other !== undefined && isPlain(sentence, other) && other.kind === 'cardinal';
}

/** `minus seven degrees`, of which seven alone would be a word. */
function isTemperature({ tokens, language }: Sentence, { from, end, kind }: SpokenNumber): boolean {
  const { minus, degrees } = language.temperature;
  const [before, last, after] = [tokens[from - 1], tokens[end - 1]!, tokens[end]];
  if (kind === 'ordinal' || before?.after !== '' || last.after !== '' || !after) return false;
  return minus.includes(before.core) && degrees.includes(after.core);
}

/** Whether the number is written in digits whatever is around it. */
function isPlain({ tokens, ends, language }: Sentence, number: SpokenNumber): boolean {
  const { from, kind, value, isBare, decimals } = number;
  const previous = tokens[from - 1]?.core ?? '';
  if (isBare) return false;
  if (kind === 'ordinal') {
    // `two tenths`, but `the tenth, eleventh and twelfth`.
    const isFraction = ends.has(from) && tokens[from - 1]!.after === '';
    return value >= minPlain && !isFraction && !language.fractionArticles.includes(previous);
  }
  return value >= minPlain || decimals !== '' || number.mantissa !== null;
}

function plainText({ tokens, language }: Sentence, number: SpokenNumber): string {
  const { end, kind, mantissa } = number;
  const last = tokens[end - 1]!;
  if (mantissa !== null) {
    const scale = last.word.slice(last.before.length, last.word.length - last.after.length);
    return `${mantissa} ${scale}`;
  }
  const text = decimalText(number, language);
  return kind === 'ordinal' ? language.ordinal(text, last.core) : text;
}
