// Numbers of which diarization gives a part to another speaker, as it may do with words at the edge
// of a turn. The parts follow each other without a pause or a mark.
import { isCardNumber, maxCardDigits } from './checks.ts';
import { classify, findingOf, isDate, type NumberFinding, type NumberKind } from './classify.ts';
import type { Announcements } from './context.ts';
import { digitRuns, runOf, type DigitRun } from './digit-runs.ts';
import type { ReadWord } from './kinds.ts';
import { isOfOther } from './other-numbers.ts';
import type { Token } from './tokens.ts';

/** People who take turns mostly leave more; within a number there is less. */
const maxGapSeconds = 0.35;
/** Of a piece that is followed by more words, fewer may count what these name: "two tickets". */
const minUnmarkedDigits = 3;

/**
 * @param words of everybody, by start
 * @param tokens of everybody, without amounts
 * @param found numbers of each speaker alone
 */
export function sharedNumbers(
  words: readonly ReadWord[],
  {
    tokens,
    found,
  }: { readonly tokens: readonly Token[]; readonly found: readonly NumberFinding[] },
  announcedBefore: Announcements,
): readonly NumberFinding[] {
  const all = tokens.toSorted((a, b) => a.first - b.first);
  const isSameSpeaker: Follows = (before, after) =>
    words[before.last]!.speaker === words[after.first]!.speaker;
  return digitRuns(words, all).flatMap((run) =>
    cutWhere(run.tokens, (before, after) => isJoined(words, before, after)).flatMap((part) => {
      const pieces = cutWhere(part, isSameSpeaker);
      const { length } = part.map(({ digits }) => digits).join('');
      if (pieces.length < 2 || length > maxCardDigits) return [];
      const numbers = found.filter((each) => part.some((token) => isOf(words, each, token)));
      if (numbers.some(({ digits }) => isCardNumber(digits))) return [];
      const isFree = (token: Token): boolean => !numbers.some((each) => isOf(words, each, token));
      const rest = pieces.filter((own) => own.every(isFree) && isPart(words, own));
      const kinds = rest.length > 0 && kindsOf(words, runOf(words, part, all), announcedBefore);
      return kinds ? rest.map((own) => findingOf(runOf(words, own, all), kinds)) : [];
    }),
  );
}

/** Whether a token is one of a speaker's number; those of the others in between are none. */
function isOf(words: readonly ReadWord[], { first, last }: NumberFinding, token: Token): boolean {
  const isOwn = words[token.first]!.speaker === words[first.first]!.speaker;
  return isOwn && first.first <= token.first && token.last <= last.last;
}

type Follows = (before: Token, after: Token) => boolean;

/** Tokens in order, cut wherever one does not follow the one before it. */
function cutWhere(tokens: readonly Token[], follows: Follows): readonly (readonly Token[])[] {
  const parts: Token[][] = [];
  for (const token of tokens) {
    const before = parts.at(-1)?.at(-1);
    if (before && follows(before, token)) parts.at(-1)!.push(token);
    else parts.push([token]);
  }
  return parts;
}

/** Without a pause or a mark, wherever the speaker changes. */
function isJoined(words: readonly ReadWord[], before: Token, after: Token): boolean {
  const [last, first] = [words[before.last]!, words[after.first]!];
  if (last.speaker === first.speaker) return true;
  const isNext = after.first === before.last + 1 && first.start - last.end <= maxGapSeconds;
  return isNext && !/[.?!;:]$/.test(last.word);
}

function isPart(words: readonly ReadWord[], own: readonly Token[]): boolean {
  const last = own.at(-1)!.last;
  const isMarked = /[.,?!;:]$/.test(words[last]!.word);
  const isLast = words[last + 1]?.speaker !== words[last]!.speaker;
  const digits = own.map((token) => token.digits).join('');
  return isMarked || isLast || digits.length >= minUnmarkedDigits;
}

function kindsOf(
  words: readonly ReadWord[],
  part: DigitRun,
  announcedBefore: Announcements,
): readonly NumberKind[] | null {
  if (isCardNumber(part.digits)) return ['card'];
  if (isDate(part) || isOfOther(words, part)) return null;
  return classify(part, announcedBefore(part.start))?.kinds ?? null;
}
