// The transcript of speech that is still arriving: a stable prefix and a tail that may be revised.
// Words become stable when consecutive hypotheses agree on them (local agreement: Liu et al. 2020;
// Macháček et al. 2023), and at the end of a part whose words can no longer change. Pure.
import { bareWord, type Word } from '../../asr/transcript.ts';
import { continuationOf } from './continuation.ts';

export interface LiveTranscript {
  /** Never changes, but grows at its end. */
  readonly stable: readonly Word[];
  /** What was recognised after it; the next hypothesis replaces it. */
  readonly tail: readonly TailWord[];
}

export interface TailWord extends Word {
  /** End of the first of the hypotheses that agree on it and on the tail before it. */
  readonly agreedSince: number;
}

/** What was recognised in a part of the recording; seconds from the start of the recording. */
export interface Hypothesis {
  readonly words: readonly Word[];
  readonly start: number;
  readonly end: number;
  /** The part ends in a pause, so that samples that are yet to arrive do not change its words. */
  readonly isComplete: boolean;
}

export const emptyTranscript: LiveTranscript = { stable: [], tail: [] };

/**
 * So much audio later hypotheses must still agree. The published policies compare two hypotheses a
 * second apart; these follow each other faster, and two of them agree on many mistakes: the final
 * text took back 4.5 % of the words that two had made stable, and 1.5 % of those that a second did.
 */
const agreementSeconds = 1;

/** The transcript after one more hypothesis; parts follow each other, and the last one grows. */
export function withHypothesis(
  { stable, tail }: LiveTranscript,
  { words, start, end, isComplete }: Hypothesis,
): LiveTranscript {
  const anchors = stable.filter((word) => middleOf(word) >= start);
  const rest = words.slice(continuationOf(anchors, words));
  if (isComplete) {
    return append(
      stable,
      rest,
      tail.filter((word) => middleOf(word) >= end),
    );
  }
  const agreed = agreedWords(tail, rest);
  const next = rest.map((word, i) => ({
    ...word,
    agreedSince: i < agreed ? tail[i]!.agreedSince : end,
  }));
  const settled = next.filter(({ agreedSince }) => end - agreedSince >= agreementSeconds).length;
  return append(stable, rest.slice(0, settled), next.slice(settled));
}

function middleOf({ start, end }: Word): number {
  return (start + end) / 2;
}

/** The number of words at the start of both; case and punctuation may still change. */
function agreedWords(one: readonly Word[], other: readonly Word[]): number {
  const differs = one.findIndex((word, i) => {
    const beside = other[i];
    return beside === undefined || bareWord(beside.word) !== bareWord(word.word);
  });
  return differs < 0 ? one.length : differs;
}

/** Words that have become stable, and a tail behind them. */
function append(
  before: readonly Word[],
  added: readonly Word[],
  tail: readonly TailWord[],
): LiveTranscript {
  const stable = [...before, ...inOrder(added, before.at(-1)?.end)];
  return { stable, tail: inOrder(tail, stable.at(-1)?.end) };
}

/** A word that overlaps the one before it starts where that one ends. */
function inOrder<T extends Word>(words: readonly T[], after = 0): readonly T[] {
  let reached = after;
  return words.map((word) => {
    const start = Math.max(word.start, reached);
    reached = Math.max(word.end, start);
    return { ...word, start, end: reached };
  });
}

/** How a final text goes on from the words that were reported as stable. */
export interface Continuation {
  /** The stable words that the final text begins with; all of them unless it takes some back. */
  readonly keptWords: number;
  /** The words of the final text after those. */
  readonly rest: readonly string[];
}

/** Case and punctuation of the final text may differ from what was reported. */
export function continuationIn(finalText: string, stable: readonly Word[]): Continuation {
  const final = finalText.split(/\s+/).filter((word) => word !== '');
  let at = 0;
  for (const [keptWords, { word }] of stable.entries()) {
    const bare = bareWord(word);
    if (bare === '') continue;
    while (at < final.length && bareWord(final[at]!) === '') at += 1;
    if (at === final.length || bareWord(final[at]!) !== bare) {
      return { keptWords, rest: final.slice(at) };
    }
    at += 1;
  }
  return { keptWords: stable.length, rest: final.slice(at) };
}
