// The last digits of a number, by which people tell cards and accounts apart: "ending in 4242".
import { linesOf, wordsBefore } from './context.ts';
import type { DigitRun } from './digit-runs.ts';
import type { SpokenWord } from './kinds.ts';
import { namesOther } from './other-numbers.ts';
import { tokensOf, wholeWords } from './tokens.ts';

/** Fewer are no secret, and more often a room or a number of days. */
const minDigits = 4;
const maxDigits = 6;

/** What announces last digits, and how many words may follow before they are said. */
const announcements: readonly { readonly pattern: RegExp; readonly maxWordsAfter: number }[] = [
  {
    pattern: new RegExp(
      wholeWords(
        // Alone only where the digits follow directly.
        '(?:ends|endet|termina|acaba|finisce|eindigt)(?=$)|' +
          'ending(?: in| with)?|ends? (?:in|with)|endet (?:auf|mit)|endend auf|endziffern|' +
          '(?:termina|acaba)(?:d[ao])? (?:en|em)|se termin(?:e|ant) par|fini(?:t|ssant) par|' +
          '(?:termina|finisce) con|eindig(?:t|end) op|(?:com|cartão) final',
      ),
      'gu',
    ),
    maxWordsAfter: 2,
  },
  {
    pattern: new RegExp(
      wholeWords(
        '(?:last|final) (?:four|five|six|[456])' +
          '(?: digits?| numbers?|(?= (?:of|on|are|is|please|from|for) )|(?=\\n|$))|' +
          'letzten (?:vier|4) (?:ziffern|stellen|zahlen)|' +
          'letzten (?:vier|4)(?= (?:der|meiner|ihrer|von|vom) )|' +
          'últim[oa]s (?:cuatro|quatro|4)(?: (?:dígitos|números|cifras)|(?= d[aeo]s? ))|' +
          '(?:quatre|4) derniers(?: chiffres|(?= d))|' +
          'ultim[ei] (?:quattro|4)(?: (?:cifre|numeri)|(?= d))|' +
          'laatste (?:vier|4)(?: (?:cijfers|nummers)|(?= van ))',
      ),
      'gu',
    ),
    maxWordsAfter: 12,
  },
];

/** Said before the digits: another number came between. */
const maxDigitsBetween = 2;

/**
 * The last digits that a run says, without the "four" of "last four"; null for other digits.
 * @param words of everybody, by start
 */
export function endingOf(words: readonly SpokenWord[], run: DigitRun): DigitRun | null {
  if (run.digits.length < minDigits || run.digits.length > maxDigits + 1) return null;
  const before = wordsBefore(words, run.tokens[0]!.first);
  const text = linesOf(before);
  const counted = withoutCount(words, run, text);
  const ending = counted ?? (isAnnounced(before, text) ? run : null);
  const length = ending?.digits.length ?? 0;
  return length < minDigits || length > maxDigits ? null : ending;
}

function withoutCount(
  words: readonly SpokenWord[],
  { digits, tokens, ...run }: DigitRun,
  before: string,
): DigitRun | null {
  const [count, ...rest] = tokens;
  const isCount = count!.digits === String(digits.length - 1);
  if (!isCount || !/(?:^|\s)(?:last|final|letzten|últim[oa]s|ultim[ei]|laatste)$/.test(before))
    return null;
  return { ...run, digits: digits.slice(1), tokens: rest, start: words[rest[0]!.first]!.start };
}

function isAnnounced(before: readonly SpokenWord[], text: string): boolean {
  return announcements.some(({ pattern, maxWordsAfter }) => {
    const said = [...text.matchAll(pattern)].at(-1);
    if (!said) return false;
    const after = text.slice(said.index + said[0].length);
    if (namesOther(text.slice(0, said.index), after)) return false;
    const between = before.slice(before.length - after.split(/\s/).filter(Boolean).length);
    const digits = tokensOf(between, [...between.keys()]).map((token) => token.digits ?? '');
    return between.length <= maxWordsAfter && digits.join('').length <= maxDigitsBetween;
  });
}
