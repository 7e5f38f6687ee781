// Telephone and account numbers that a hesitation interrupts: "415, sorry, wait, 555 2671".
import type { DigitRun } from './digit-runs.ts';
import type { ReadWord } from './kinds.ts';
import { allWords } from './languages/languages.ts';
import { bare } from './tokens.ts';

const hesitating = allWords(({ hesitations }) => hesitations);
const maxRuns = 4;
const maxWordsBetween = 6;

/**
 * The longest number counts: what was announced may be long enough before its last group is said.
 * @param runs of one speaker, in order
 * @param kindOf of a run, null for digits that are none
 * @returns the kind of the runs that are one number together, but are not two
 */
export function interruptedNumbers<K>(
  words: readonly ReadWord[],
  runs: readonly DigitRun[],
  kindOf: (run: DigitRun) => K | null,
): ReadonlyMap<DigitRun, K> {
  const found = new Map<DigitRun, K>();
  for (const [i, run] of runs.entries()) {
    if (found.has(run)) continue;
    let whole = run;
    for (const [at, next] of runs.slice(i + 1, i + maxRuns).entries()) {
      const areTwo = kindOf(whole) !== null && kindOf(next) !== null;
      if (!isHesitation(words, whole, next) || areTwo) break;
      whole = {
        ...whole,
        digits: whole.digits + next.digits,
        tokens: [...whole.tokens, ...next.tokens],
      };
      const kind = kindOf(whole);
      if (kind === null) continue;
      for (const own of runs.slice(i, i + at + 2)) found.set(own, kind);
    }
  }
  return found;
}

function isHesitation(words: readonly ReadWord[], before: DigitRun, after: DigitRun): boolean {
  const between = words.slice(before.tokens.at(-1)!.last + 1, after.tokens[0]!.first);
  return (
    between.length <= maxWordsBetween && between.every(({ word }) => hesitating.has(bare(word)))
  );
}
