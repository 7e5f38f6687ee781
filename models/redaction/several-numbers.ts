// A run of digits that is several numbers: one that was said twice, or two with "and" between.
import { runOf, type DigitRun } from './digit-runs.ts';
import type { ReadWord } from './kinds.ts';
import type { Token } from './tokens.ts';

/** Where a number may end, by how clearly. */
const joints = { sentence: 3, word: 2, comma: 1, none: 0 } as const;

/**
 * The ways in which a run may be several numbers, the likeliest first.
 * @param words of everybody, by start
 * @param all tokens of the speaker
 */
export function divisionsOf(
  words: readonly ReadWord[],
  run: DigitRun,
  all: readonly Token[],
): readonly (readonly DigitRun[])[] {
  const before = run.tokens.map((token, i) =>
    i === 0 ? joints.none : jointBetween(words, run.tokens[i - 1]!, token),
  );
  const divide = (isStart: (i: number) => boolean): readonly DigitRun[] => {
    const starts = [0, ...run.tokens.keys().filter((i) => i > 0 && isStart(i))];
    return starts.map((from, i) => runOf(words, run.tokens.slice(from, starts[i + 1]), all));
  };
  const levels = [joints.sentence, joints.word, joints.comma]
    .filter((level) => before.some((joint) => joint === level))
    .map((level) => divide((i) => before[i]! >= level));
  const middle = middleOf(run);
  return middle === null ? levels : [...levels, divide((i) => i === middle)];
}

function jointBetween(words: readonly ReadWord[], before: Token, after: Token): number {
  const last = words[before.last]!;
  const between = words.slice(before.last + 1, after.first);
  // Somebody else said more than "uh-huh, go on".
  const isAnswered = between.filter(({ speaker }) => speaker !== last.speaker).length > 3;
  if (isAnswered || [last, ...between].some(({ word }) => /[.?!;]$/.test(word)))
    return joints.sentence;
  if (between.some(({ word, speaker }) => speaker === last.speaker && /\p{L}/u.test(word)))
    return joints.word;
  return last.word.endsWith(',') ? joints.comma : joints.none;
}

/** The token with which the same digits begin once more; null where they do not. */
function middleOf({ digits, tokens }: DigitRun): number | null {
  const half = digits.slice(0, digits.length / 2);
  if (half + half !== digits) return null;
  let count = 0;
  const middle = tokens.findIndex((token) => {
    const isMiddle = count === half.length;
    count += token.digits!.length;
    return isMiddle;
  });
  return middle === -1 ? null : middle;
}
