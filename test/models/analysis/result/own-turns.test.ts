// Turns of a speaker do not overlap, however long their words are.
import fc from 'fast-check';
import test from 'ava';
import { withoutOwnOverlap } from '../../../../models/analysis/result/own-turns.ts';

const turn = (speaker: number, start: number, end: number, ...starts: readonly number[]) => {
  const words = starts.map((at) => ({ start: at, end: Math.min(end, at + 0.3) }));
  return { speaker, start, end, words };
};
const spans = (turns: readonly { speaker: number; start: number; end: number }[]) =>
  turns.map(({ speaker, start, end }) => [speaker, start, end]);

test('a turn begins behind the last word of the speaker before', (t) => {
  const found = withoutOwnOverlap([
    turn(1, 11.7, 15.2, 11.8, 14.9),
    turn(0, 14, 14.6, 14),
    turn(1, 14, 20, 15.3),
    turn(1, 18, 19.5),
    turn(1, 19.9, 22, 19.95),
  ]);
  t.deepEqual(spans(found), [
    [1, 11.7, 15.2],
    [0, 14, 14.6],
    [1, 15.2, 19.95],
    [1, 19.95, 22],
  ]);
});

test('a turn ends where the first word of the next one of its speaker begins', (t) => {
  const found = withoutOwnOverlap([
    turn(0, 47.1, 50.016, 47.2, 49.6),
    turn(1, 49.5, 51, 49.5),
    turn(0, 49.961, 53, 49.961),
    turn(0, 53.4, 54),
    turn(0, 53.3, 56, 53.3),
  ]);
  t.deepEqual(spans(found), [
    [0, 47.1, 49.961],
    [1, 49.5, 51],
    [0, 49.961, 53],
    [0, 53.3, 56],
  ]);
});

test('every word stays in its turn, and what does not overlap stays as it is', (t) => {
  const times = fc.tuple(fc.integer({ min: 0, max: 2 }), fc.nat(40), fc.nat(20), fc.nat(30));
  const check = (all: readonly (readonly [number, number, number, number])[]): void => {
    const turns = all
      .map(([speaker, start, words, length]) => {
        const starts = words > 10 ? [] : [start + words / 10];
        return turn(speaker, start, start + 1.5 + length / 10, ...starts);
      })
      .toSorted((a, b) => a.start - b.start);
    const found = withoutOwnOverlap(turns);
    t.deepEqual(
      found.flatMap(({ words }) => words),
      turns.flatMap(({ words }) => words),
    );
    for (const { start, end, words } of found) {
      t.true(start < end);
      for (const word of words) t.true(start <= word.start && word.end <= end);
    }
    for (const [i, { speaker, end, words }] of found.entries()) {
      const next = found.slice(i + 1).filter((other) => other.speaker === speaker);
      const spoken = words.at(-1)?.end ?? -Infinity;
      for (const { start } of next) t.true(end <= Math.max(start, spoken));
    }
    t.deepEqual(withoutOwnOverlap(found), found);
  };
  fc.assert(fc.property(fc.array(times, { maxLength: 12 }), check));
});
