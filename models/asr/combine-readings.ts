// Two readings of the same speech become one, word by word (after Fiscus 1997, "A post-processing
// system to yield reduced word error rates: Recognizer output voting error reduction"); pure.
import { joinReadings } from './sentence-case.ts';
import { meanConfidence } from './second-opinion.ts';
import { sigmoid } from './sigmoid.ts';
import { bareWord, type Word } from './transcript.ts';

/** Words between two on which the readings agree, or words on which they do. */
export interface Run {
  readonly first: readonly Word[];
  readonly second: readonly Word[];
  readonly agree: boolean;
}

/** Words whose times are further apart are hardly the same ones: they cost more than a gap. */
const nearSeconds = 0.3;
const costs = { gap: 1, other: 1, far: 1.5, farOther: 2.2 };

/** So much surer than the second reading's are words of the first that replace them. */
const surer = 0.2;
/** Words that only one reading has are kept from these confidences on. */
const leastAlone = { first: 0.45, second: 0.2 };
/** With so many words more one reading has a clause that the other has left out. */
const clauseWords = 3;
/** A word of that confidence is worth nothing. */
const worthless = 0.4;
/**
 * Of the logit of a kept word's confidence, or of the sum of both readings' where they agree.
 * Fitted to 1,689 and 3,941 words of joined telephone prompts and Mandarin readers.
 */
const calibration = { alone: { bias: -0.26, weight: 0.78 }, both: { bias: 0.97, weight: 0.45 } };
/** What is closer to 0 or 1 is rounding. */
const leastProbability = 1e-4;

/**
 * The words of two readings with times on one clock, in their order; their times may overlap where
 * words of both are beside each other. Words on which both agree are spelled as the second spells
 * them, and likelier than either reading says; the others are less so.
 * @param first by the smaller model, at least one word
 * @param second at least one word
 */
export function combineReadings(first: readonly Word[], second: readonly Word[]): readonly Word[] {
  const parts: { readonly ofFirst: boolean; readonly words: Word[] }[] = [];
  for (const run of runsOf(first, second)) {
    const ofFirst = !run.agree && isFirstKept(run);
    const own = ofFirst ? run.first : run.second;
    const words = own.map((word, i) => withConfidence(word, run.agree ? run.first[i] : undefined));
    const last = parts.at(-1);
    if (last?.ofFirst === ofFirst) last.words.push(...words);
    else parts.push({ ofFirst, words });
  }
  return joinReadings(parts.map(({ words }) => words));
}

/** @param other what the first reading has for it; absent where the readings differ */
function withConfidence(word: Word, other?: Word): Word {
  const sum = logitOf(word) + (other ? logitOf(other) : 0);
  const { bias, weight } = other ? calibration.both : calibration.alone;
  return { ...word, confidence: sigmoid(bias + weight * sum) };
}

function logitOf({ confidence }: Word): number {
  const least = Math.max(leastProbability, Math.min(confidence ?? 1, 1 - leastProbability));
  return Math.log(least / (1 - least));
}

function isFirstKept({ first, second }: Run): boolean {
  if (first.length === 0) return meanConfidence(second) < leastAlone.second;
  if (second.length === 0) return meanConfidence(first) >= leastAlone.first;
  if (Math.abs(first.length - second.length) >= clauseWords)
    return worth(first) > worth(second) + surer;
  return meanConfidence(first) > meanConfidence(second) + surer;
}

function worth(words: readonly Word[]): number {
  return words.reduce((sum, { confidence }) => sum + (confidence ?? 1) - worthless, 0);
}

/** The alignment with the lowest edit distance, as runs that alternate. */
export function runsOf(first: readonly Word[], second: readonly Word[]): readonly Run[] {
  const distances = distancesOf(first, second);
  const runs: Run[] = [];
  const add = (own: readonly Word[], other: readonly Word[], agree: boolean): void => {
    const behind = runs.at(-1)?.agree === agree ? runs.pop() : undefined;
    const { first: after, second: otherAfter } = behind ?? { first: [], second: [] };
    runs.push({ first: [...own, ...after], second: [...other, ...otherAfter], agree });
  };
  let [i, j] = [first.length, second.length];
  while (i > 0 || j > 0) {
    const distance = distances[i]![j]!;
    const [word, other] = [first[i - 1], second[j - 1]];
    if (word && other && distance === distances[i - 1]![j - 1]! + swapCost(word, other)) {
      add([word], [other], isSame(word, other));
      [i, j] = [i - 1, j - 1];
    } else if (word && distance === distances[i - 1]![j]! + costs.gap) {
      add([word], [], false);
      i -= 1;
    } else {
      add([], [other!], false);
      j -= 1;
    }
  }
  return runs.toReversed();
}

/** Of each pair of beginnings, by the number of their words. */
function distancesOf(first: readonly Word[], second: readonly Word[]): readonly Float64Array[] {
  const rows = [Float64Array.from({ length: second.length + 1 }, (_, j) => j * costs.gap)];
  for (const [i, word] of first.entries()) {
    const above = rows[i]!;
    const row = new Float64Array(second.length + 1);
    row[0] = (i + 1) * costs.gap;
    for (const [j, other] of second.entries()) {
      const gap = Math.min(above[j + 1]!, row[j]!) + costs.gap;
      row[j + 1] = Math.min(gap, above[j]! + swapCost(word, other));
    }
    rows.push(row);
  }
  return rows;
}

function swapCost(a: Word, b: Word): number {
  const isNear = a.start < b.end + nearSeconds && b.start < a.end + nearSeconds;
  if (isSame(a, b)) return isNear ? 0 : costs.far;
  return isNear ? costs.other : costs.farOther;
}

function isSame(a: Word, b: Word): boolean {
  return bareWord(a.word) === bareWord(b.word);
}
