// Turns of a speaker after their words have lengthened them: nobody speaks over themselves; pure.
import type { TimeSpan } from '../../audio/samples.ts';

interface SpokenTurn extends TimeSpan {
  readonly words: readonly TimeSpan[];
  readonly speaker: number | null;
}

/**
 * A long last word may go beyond the start of the speaker's next turn, which then begins behind it;
 * a long first word may begin before the end of the turn before, which then ends where it begins.
 * Where that leaves nothing of a turn without a word, the turn is a part of the other.
 * @param turns in the order in which they were planned
 */
export function withoutOwnOverlap<T extends SpokenTurn>(turns: readonly T[]): readonly T[] {
  return endingBeforeNext(beginningAfterLast(turns));
}

function beginningAfterLast<T extends SpokenTurn>(turns: readonly T[]): readonly T[] {
  const ends = new Map<number | null, number>();
  return turns.flatMap((turn) => {
    const { speaker, words, end } = turn;
    const before = ends.get(speaker) ?? -Infinity;
    if (words.length === 0 && end <= before) return [];
    ends.set(speaker, Math.max(before, end));
    // Not behind its own first word.
    const start = Math.max(turn.start, Math.min(before, words[0]?.start ?? Infinity));
    return [start > turn.start ? { ...turn, start } : turn];
  });
}

function endingBeforeNext<T extends SpokenTurn>(turns: readonly T[]): readonly T[] {
  const starts = new Map<number | null, number>();
  const reversed = turns.toReversed().flatMap((turn) => {
    const { speaker, words, start } = turn;
    const next = starts.get(speaker) ?? Infinity;
    if (words.length === 0 && next <= start) return [];
    starts.set(speaker, Math.min(next, start));
    // Not before the end of its own last word.
    const end = Math.min(turn.end, Math.max(next, words.at(-1)?.end ?? -Infinity));
    return [end < turn.end ? { ...turn, end } : turn];
  });
  return reversed.toReversed();
}
