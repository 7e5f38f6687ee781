// From words of chunks to segments: order, boundaries, cuts.
import test from 'ava';
import fc from 'fast-check';
import { joinWords, splitSegments } from '../../../models/asr/segments.ts';
import type { Word } from '../../../models/asr/transcript.ts';

const word = (text: string, start: number, end: number): Word => ({
  word: text,
  start,
  end,
  confidence: 1,
});

const spelled = (words: readonly Word[]): string => words.map((w) => w.word).join(' ');

test('no word is lost, doubled or moved between chunks and segments', (t) => {
  const gaps = fc.array(fc.tuple(fc.double({ min: 0.25, max: 3, noNaN: true }), fc.boolean()), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(gaps, (steps) => {
      let time = 0;
      const chunks: Word[][] = [[]];
      steps.forEach(([gap, newChunk], i) => {
        time += gap;
        if (newChunk) chunks.push([]);
        chunks.at(-1)!.push(word(`w${i}`, time, time + 0.2));
      });
      const segments = splitSegments(joinWords(chunks));
      t.deepEqual(
        segments.flat().map((w) => w.word),
        steps.map((_, i) => `w${i}`),
      );
      t.true(segments.every((segment) => segment.length > 0));
    }),
  );
});

test('a word that both sides of a cut recognised is kept once', (t) => {
  const chunks = [
    [word('Hello', 0, 0.4), word('wor', 9.9, 10)],
    [word('wor', 10, 10.1), word('there', 10.5, 11)],
  ];
  t.is(spelled(joinWords(chunks)), 'Hello wor there');
});

test('the words of a chunk are written as it has them', (t) => {
  const chunks = [[word('5.', 0, 0.4), word('května', 0.5, 1)], [word('ca.', 2, 2.4)]];
  t.is(spelled(joinWords(chunks)), '5. května ca.');
});

test('a pause and the end of a sentence end a segment', (t) => {
  const words = [word('One.', 0, 0.5), word('Two', 0.9, 1.2), word('three', 2.5, 3)];
  t.deepEqual(splitSegments(words).map(spelled), ['One.', 'Two', 'three']);
});
