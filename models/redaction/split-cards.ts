// A card's number whose groups are apart: "hang on, let me turn it over" between them, or a group
// that is said again after "sorry".
import { isCardNumber } from './checks.ts';
import { announces } from './context.ts';
import type { DigitRun } from './digit-runs.ts';
import type { SpokenWord } from './kinds.ts';

const maxRuns = 4;
const maxWordsBetween = 15;
const maxPauseSeconds = 20;
const minRepeatedDigits = 2;
/** Of nearly all cards. Other lengths are left out, because one in ten numbers passes the check. */
const usualDigits = { least: 15, most: 16 };

/**
 * @param words of everybody, by start
 * @param runs of one speaker, in order
 * @returns the runs that make a card's number together
 */
export function splitCards(
  words: readonly SpokenWord[],
  runs: readonly DigitRun[],
): ReadonlySet<DigitRun> {
  const found = new Set<DigitRun>();
  for (let i = 0; i < runs.length; i += 1) {
    if (isCardNumber(runs[i]!.digits)) continue;
    let spoken = [runs[i]!.digits].filter(isBeginning);
    for (let j = i + 1; j < Math.min(runs.length, i + maxRuns); j += 1) {
      if (!follows(words, runs[j - 1]!, runs[j]!)) break;
      spoken = spoken.flatMap((digits) => continued(digits, runs[j]!.digits)).filter(isBeginning);
      if (!spoken.some((digits) => digits.length >= usualDigits.least && isCardNumber(digits)))
        continue;
      for (const run of runs.slice(i, j + 1)) found.add(run);
      i = j;
      break;
    }
  }
  return found;
}

/** With more digits nothing that is said makes it a card's number. */
function isBeginning(digits: string): boolean {
  return digits.length <= usualDigits.most;
}

function follows(words: readonly SpokenWord[], before: DigitRun, after: DigitRun): boolean {
  const [last, first] = [before.tokens.at(-1)!.last, after.tokens[0]!.first];
  const between = words.slice(last + 1, first);
  const pauseSeconds = words[first]!.start - words[last]!.end;
  // "That's a Visa, go on": only the card's check digit says whether the groups belong together.
  const isOther = announces(between, 'card');
  return between.length <= maxWordsBetween && pauseSeconds <= maxPauseSeconds && !isOther;
}

/** What was said so far and the next digits, which may begin with the last ones again. */
function continued(digits: string, next: string): readonly string[] {
  const shared = Array.from({ length: Math.min(digits.length, next.length) }, (_, i) => i + 1);
  const repeated = shared.filter(
    (count) => count >= minRepeatedDigits && digits.endsWith(next.slice(0, count)),
  );
  return [0, ...repeated].map((count) => digits + next.slice(count));
}
