// Digits that count something, or are years, days and times: no part of the number of a person.
import { isCardNumber, isPhoneNumber } from './checks.ts';
import type { ReadWord } from './kinds.ts';
import { patternIn, wordIn } from './languages/languages.ts';
import { wholeWords, withCommas, type Token } from './tokens.ts';

const startsWith = (alternatives: string): RegExp =>
  new RegExp(`^${wholeWords(alternatives)}`, 'u');
const isUnit = patternIn(({ amounts: { units, counted } }) => startsWith(`${units}|${counted}`));
/** After numbers of any length. */
const isCounted = patternIn(({ amounts }) => startsWith(amounts.counted));
const isMonth = patternIn(({ amounts: { months } }) => new RegExp(`^(?:${months})$`, 'u'));
/** Only of short numbers: "07700 900123 days or evenings". */
const isTimeUnit = patternIn(({ amounts: { times, months, dayJoints } }) =>
  startsWith(`${times}|(?:(?:${dayJoints}) )?(?:${months})`),
);
const maxTimeDigits = 3;

const isConjunction = wordIn(({ amounts }) => amounts.conjunctions);
const isSmall = wordIn(({ amounts }) => amounts.smallWords);
const isBeforeTimes = wordIn(({ amounts }) => amounts.beforeTimes);
const isBeforeRanges = wordIn(({ amounts }) => amounts.beforeRanges);
const isYear = /^(?:19|20)\d\d$/;
const isDay = /^[123]?\d$/;
const isTime = /^(?:[01]?\d|2[0-4])[0-5]\d$/;
const isShort = /^[1-9]\d{0,3}$/;
const isThousands = /^\d{1,3}(?: \d{3})+$/;
/** With commas, or before a unit, fewer are an amount. */
const minNumberDigits = 7;

/** Digits that follow each other directly. */
interface Group {
  readonly tokens: readonly Token[];
  /** Place of its first token among those of the speaker. */
  readonly at: number;
  readonly digits: string;
  /** What it is to the group before. */
  readonly joint: 'conjunction' | 'comma' | null;
}

/**
 * Tokens without the digits of amounts, years and times.
 * @param tokens of one speaker, in order
 * @param isAnnounced whether a number is expected at a time in seconds
 */
export function withoutAmounts(
  words: readonly ReadWord[],
  tokens: readonly Token[],
  isAnnounced: (seconds: number) => boolean,
): readonly Token[] {
  const amounts = new Set<Token>();
  const groups = groupsOf(words, tokens);
  for (let i = 0; i < groups.length;) {
    let end = i + 1;
    while (end < groups.length && groups[end]!.joint !== null) end += 1;
    const list = groups.slice(i, end);
    for (const { tokens: own } of amountsOf(words, tokens, list))
      for (const token of own) amounts.add(token);
    for (const { tokens: own, digits } of list) {
      const hasCommas = own.some(({ text }) => withCommas.test(text));
      const isNumber = digits.length >= minNumberDigits && isAnnounced(words[own[0]!.first]!.start);
      if (hasCommas && !isNumber) for (const token of own) amounts.add(token);
    }
    i = end;
  }
  return tokens.map((token) => (amounts.has(token) ? { ...token, digits: null } : token));
}

function groupsOf(words: readonly ReadWord[], tokens: readonly Token[]): readonly Group[] {
  const groups: { tokens: Token[]; at: number; joint: Group['joint'] }[] = [];
  let between: Token[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.digits === null) {
      between.push(token);
      continue;
    }
    const before = groups.at(-1);
    const joint = before ? jointOf(words, before.tokens.at(-1)!, between) : null;
    if (joint === 'none') before!.tokens.push(token);
    else groups.push({ tokens: [token], at, joint });
    between = [];
  }
  return groups.map((group) => ({
    ...group,
    digits: group.tokens.map(({ digits }) => digits).join(''),
  }));
}

function jointOf(
  words: readonly ReadWord[],
  before: Token,
  between: readonly Token[],
): Group['joint'] | 'none' {
  const mark = /[.?!;:,]?$/.exec(words[before.last]!.word)![0];
  if (mark !== ',' && mark !== '') return null;
  if (between.length === 0) return mark === ',' ? 'comma' : 'none';
  const joins = between.map(({ text, first }) => isConjunction(text, words[first]!.languages));
  const isList = between.every(
    ({ text, first }, i) => joins[i]! || isSmall(text, words[first]!.languages),
  );
  return isList && joins.includes(true) ? 'conjunction' : null;
}

/** Those of a list that count something or are of the calendar or the clock. */
function amountsOf(
  words: readonly ReadWord[],
  tokens: readonly Token[],
  list: readonly Group[],
): readonly Group[] {
  const isJoined = list.some(({ joint }) => joint === 'conjunction');
  const previous = tokens[list[0]!.at - 1];
  const before = previous?.text ?? '';
  const codes = previous ? words[previous.first]!.languages : [];
  const isRange = isBeforeRanges(before, codes) && list.length === 2;
  const areAll = (pattern: RegExp): boolean => list.every(({ digits }) => pattern.test(digits));
  if (isJoined && (areAll(isYear) || (areAll(isTime) && isBeforeTimes(before, codes)))) return list;
  if (isJoined && isRange && areAll(isShort)) return list;
  if (isJoined && isMonth(before, codes) && areAll(isDay)) return list;
  const counted = list.filter((group) => unitOf(words, tokens, group) !== null);
  const last = list.at(-1)!;
  const unit = unitOf(words, tokens, last);
  const others = list.slice(0, -1);
  const digits = others.map((group) => group.digits).join('');
  const areShort = others.every((group) => isShort.test(group.digits));
  const areDays = others.every((group) => group.digits.length <= 2);
  const isNumber = isPhoneNumber(digits, others[0]?.tokens[0]!.isInternational ?? false);
  const isList =
    isJoined && areShort && !isNumber && (unit === 'amount' || (unit === 'time' && areDays));
  return isList ? list : counted;
}

/** What a group counts; null for what may be the number of a person. */
function unitOf(
  words: readonly ReadWord[],
  tokens: readonly Token[],
  { tokens: own, at, digits }: Group,
): 'amount' | 'time' | null {
  const [first, last] = [own[0]!, own.at(-1)!];
  if (isCardNumber(digits) || isPhoneNumber(digits, first.isInternational)) return null;
  const sign = /[$€£¥%]/;
  const isSigned = own.some((token) => sign.test(words[token.first]!.word));
  if (isSigned || (at > 0 && /[$€£¥]$/.test(words[tokens[at - 1]!.last]!.word))) return 'amount';
  const spoken = own.map((token) => token.digits).join(' ');
  const isOne = own.length === 1 || isThousands.test(spoken) || /^\d\d? \d\d$/.test(spoken);
  const isRound = digits.length < minNumberDigits || digits.endsWith('00');
  if (!isOne || /[.?!;:,]$/.test(words[last.last]!.word)) return null;
  const after = tokens.slice(at + own.length, at + own.length + 2);
  const next = after.map(({ text }) => text).join(' ');
  const codes = after[0] ? words[after[0].first]!.languages : [];
  if (isCounted(next, codes) || (isRound && isUnit(next, codes))) return 'amount';
  return digits.length <= maxTimeDigits && isTimeUnit(next, codes) ? 'time' : null;
}
