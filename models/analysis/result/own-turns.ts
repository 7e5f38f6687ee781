// Turns of a speaker after their words have lengthened them: nobody speaks over themselves; pure.
import type { TimeSpan } from '../../audio/samples.ts';

interface SpokenTurn extends TimeSpan {
  readonly words: readonly TimeSpan[];
  readonly speaker: number | null;
}

/**
 * A long last word may go beyond the start of the speaker's next turn, which then begins behind it;
 * where that leaves nothing of a turn without a word, the turn is a part of the other.
 * @param turns in the order in which they were planned
 */
export function withoutOwnOverlap<T extends SpokenTurn>(turns: readonly T[]): readonly T[] {
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
