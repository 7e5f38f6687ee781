// A given text is distributed over chunks: no word is lost, and none moves before another.
import test from 'ava';
import fc from 'fast-check';
import { alignTranscript, transcriptWords } from '../../../models/proficiency/transcript.ts';

test('every word of any text is in one chunk, in order', (t) => {
  const word = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const chunkSeconds = fc.array(fc.double({ min: 0.1, max: 18, noNaN: true }), { minLength: 1 });
  fc.assert(
    fc.property(fc.array(word), fc.array(word), chunkSeconds, (words, recognisedWords, lengths) => {
      const recognised = recognisedWords.map((text, i) => ({
        word: text,
        chunk: Math.floor((i * lengths.length) / recognisedWords.length),
      }));
      const { chunks, agreement } = alignTranscript(words, recognised, lengths);
      t.deepEqual(chunks.flat(), words);
      return chunks.length === lengths.length && agreement >= 0 && agreement <= 1;
    }),
  );
});

test('recognised words fix their chunk, and the rest is distributed between them', (t) => {
  const recognised = [
    { word: 'Good', chunk: 0 },
    { word: 'morning.', chunk: 0 },
    { word: 'goodbye', chunk: 2 },
  ];
  const words = transcriptWords('GOOD morning, one two three four - goodbye!');
  t.deepEqual(words, ['GOOD', 'morning,', 'one', 'two', 'three', 'four', 'goodbye!']);
  const { chunks, agreement } = alignTranscript(words, recognised, [5, 10, 5]);
  t.deepEqual(chunks, [
    ['GOOD', 'morning,', 'one'],
    ['two', 'three'],
    ['four', 'goodbye!'],
  ]);
  t.is(agreement, 3 / 7);
});
