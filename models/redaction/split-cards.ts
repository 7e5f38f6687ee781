// A card's number whose groups are apart: "hang on, let me turn it over" between them, or a group
// that is said again after "sorry".
import { isCardNumber } from './checks.ts';
import { announces } from './context.ts';
import { maxPauseSeconds, type DigitRun } from './digit-runs.ts';
import type { ReadWord } from './kinds.ts';
import { asksForOther } from './questions.ts';

const maxRuns = 4;
const maxWordsBetween = 15;
const minRepeatedDigits = 2;
/**
 * Of an announced card of which a digit may have been misheard. Its groups are said in so many
 * words at least: "1500 on Monday" is no group.
 */
const misheard = { least: 14, most: 17, groupWords: 3 };
/** Of nearly all cards. Other lengths are left out, because one in ten numbers passes the check. */
const usualDigits = { least: 15, most: 16 };

/**
 * @param words of everybody, by start
 * @param runs of one speaker, in order
 * @param isAnnounced whether the number of a card is expected where a run begins
 * @returns the runs that make a card's number together
 */
export function splitCards(
  words: readonly ReadWord[],
  runs: readonly DigitRun[],
  isAnnounced: (run: DigitRun) => boolean,
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
  for (const [i, run] of runs.entries()) {
    if (found.has(run) || isCardNumber(run.digits) || !isAnnounced(run)) continue;
    const own = groupsFrom(words, runs.slice(i, i + maxRuns));
    const { length } = own.map(({ digits }) => digits).join('');
    if (own.length < 2 || length < misheard.least || length > misheard.most) continue;
    for (const each of own) found.add(each);
  }
  return found;
}

/** The first run with those that go on with it, without a question for something else. */
function groupsFrom(words: readonly ReadWord[], runs: readonly DigitRun[]): readonly DigitRun[] {
  const end = runs.findIndex((run, i) => {
    const before = runs[i - 1];
    if (run.tokens.length < misheard.groupWords || isCardNumber(run.digits)) return true;
    if (before === undefined) return false;
    return !follows(words, before, run) || asksForOther(between(words, before, run));
  });
  return runs.slice(0, end === -1 ? runs.length : end);
}

/** With more digits nothing that is said makes it a card's number. */
function isBeginning(digits: string): boolean {
  return digits.length <= usualDigits.most;
}

function follows(words: readonly ReadWord[], before: DigitRun, after: DigitRun): boolean {
  const said = between(words, before, after);
  const pauseSeconds =
    words[after.tokens[0]!.first]!.start - words[before.tokens.at(-1)!.last]!.end;
  if (said.length > maxWordsBetween || pauseSeconds > maxPauseSeconds) return false;
  // "That's a Visa, go on": only the card's check digit says whether the groups belong together.
  return !announces(said, 'card');
}

function between(
  words: readonly ReadWord[],
  before: DigitRun,
  after: DigitRun,
): readonly ReadWord[] {
  return words.slice(before.tokens.at(-1)!.last + 1, after.tokens[0]!.first);
}

/** What was said so far and the next digits, which may begin with the last ones again. */
function continued(digits: string, next: string): readonly string[] {
  const shared = Array.from({ length: Math.min(digits.length, next.length) }, (_, i) => i + 1);
  const repeated = shared.filter(
    (count) => count >= minRepeatedDigits && digits.endsWith(next.slice(0, count)),
  );
  return [0, ...repeated].map((count) => digits + next.slice(count));
}
