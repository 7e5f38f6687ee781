// Chunks to a transcript: order, seams, segments.
import test from 'ava';
import fc from 'fast-check';
import { assembleTranscript } from '../../../models/asr/segments.ts';
import type { Word } from '../../../models/asr/transcript.ts';

const word = (text: string, start: number, end: number): Word => ({
  word: text,
  start,
  end,
  confidence: 1,
});

test('no word is lost, doubled or moved, in whatever order chunks come', (t) => {
  const gaps = fc.array(fc.tuple(fc.double({ min: 0.25, max: 3, noNaN: true }), fc.boolean()), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(gaps, fc.infiniteStream(fc.nat(5)), (steps, order) => {
      let time = 0;
      const chunks: { index: number; words: Word[] }[] = [{ index: 0, words: [] }];
      steps.forEach(([gap, newChunk], i) => {
        time += gap;
        if (newChunk) chunks.push({ index: chunks.length, words: [] });
        chunks.at(-1)!.words.push(word(`w${i}`, time, time + 0.2));
      });
      const shuffled = chunks
        .map((chunk) => ({ chunk, key: order.next().value as number }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ chunk }) => chunk);
      const { text, segments } = assembleTranscript(shuffled);
      const words = segments.flatMap((segment) => segment.words);
      t.deepEqual(
        words.map((w) => w.word),
        steps.map((_, i) => `w${i}`),
      );
      t.is(text, words.map((w) => w.word).join(' '));
      for (const s of segments) t.is(s.text, s.words.map((w) => w.word).join(' '));
    }),
  );
});

test('a word that both sides of a cut heard is kept once', (t) => {
  const chunks = [
    { index: 0, words: [word('Hello', 0, 0.4), word('wor', 9.9, 10)] },
    { index: 1, words: [word('wor', 10, 10.1), word('there', 10.5, 11)] },
  ];
  t.is(assembleTranscript(chunks).text, 'Hello wor there');
});

test('a pause and the end of a sentence end a segment', (t) => {
  const words = [word('One.', 0, 0.5), word('Two', 0.9, 1.2), word('three', 2.5, 3)];
  const { segments } = assembleTranscript([{ index: 0, words }]);
  t.deepEqual(
    segments.map((segment) => segment.text),
    ['One.', 'Two', 'three'],
  );
});

test('nothing is an empty transcript', (t) => {
  t.deepEqual(assembleTranscript([]), { text: '', segments: [] });
});
