// The last digits of a number, by which people tell cards and accounts apart: "ending in 4242".
import { linesOf, wordsBefore } from './context.ts';
import type { DigitRun } from './digit-runs.ts';
import type { ReadWord } from './kinds.ts';
import { allAlternatives } from './languages/languages.ts';
import type { EndingWords } from './languages/redaction-language.ts';
import { namesOther } from './other-numbers.ts';
import { tokensOf, wholeWords } from './tokens.ts';

/** Fewer are no secret, and more often a room or a number of days. */
const minDigits = 4;
const maxDigits = 6;

const endings = (name: keyof EndingWords): string =>
  allAlternatives((language) => language.endings[name]);

/** What announces last digits, and how many words may follow before they are said. */
const announcements: readonly { readonly pattern: RegExp; readonly maxWordsAfter: number }[] = [
  {
    // Alone only where the digits follow directly.
    pattern: new RegExp(wholeWords(`(?:${endings('ends')})(?=$)|${endings('endsIn')}`), 'gu'),
    maxWordsAfter: 2,
  },
  { pattern: new RegExp(wholeWords(endings('lastFour')), 'gu'), maxWordsAfter: 12 },
];
const last = new RegExp(`(?:^|\\s)(?:${endings('last')})$`, 'u');

/** Said before the digits: another number came between. */
const maxDigitsBetween = 2;

/**
 * The last digits that a run says, without the "four" of "last four"; null for other digits.
 * @param words of everybody, by start
 */
export function endingOf(words: readonly ReadWord[], run: DigitRun): DigitRun | null {
  if (run.digits.length < minDigits || run.digits.length > maxDigits + 1) return null;
  const before = wordsBefore(words, run.tokens[0]!.first);
  const text = linesOf(before);
  const counted = withoutCount(words, run, text);
  const ending = counted ?? (isAnnounced(before, text) ? run : null);
  const length = ending?.digits.length ?? 0;
  return length < minDigits || length > maxDigits ? null : ending;
}

function withoutCount(
  words: readonly ReadWord[],
  { digits, tokens, ...run }: DigitRun,
  before: string,
): DigitRun | null {
  const [count, ...rest] = tokens;
  const isCount = count!.digits === String(digits.length - 1);
  if (!isCount || !last.test(before)) return null;
  return { ...run, digits: digits.slice(1), tokens: rest, start: words[rest[0]!.first]!.start };
}

function isAnnounced(before: readonly ReadWord[], text: string): boolean {
  return announcements.some(({ pattern, maxWordsAfter }) => {
    const said = [...text.matchAll(pattern)].at(-1);
    if (!said) return false;
    const after = text.slice(said.index + said[0].length);
    if (namesOther(text.slice(0, said.index), after, before.at(-1)!.languages)) return false;
    const between = before.slice(before.length - after.split(/\s/).filter(Boolean).length);
    const digits = tokensOf(between, [...between.keys()]).map((token) => token.digits ?? '');
    return between.length <= maxWordsAfter && digits.join('').length <= maxDigitsBetween;
  });
}
