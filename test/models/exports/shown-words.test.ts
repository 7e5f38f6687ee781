// The words that exports show where the text has numbers in digits.
import test from 'ava';
import fc from 'fast-check';
import { textPieces } from '../../../models/exports/low-confidence.ts';
import { shownWords } from '../../../models/exports/shown-words.ts';
import { toCues, toSrt } from '../../../models/exports/subtitles.ts';

const spokenWords = (text: string) =>
  text.split(' ').map((word, i) => ({ word, start: i, end: i + 0.9, confidence: 0.9 }));

const segment = (text: string, spoken: string) => ({
  ...{ start: 0, end: 60, speaker: null, emotions: [], styles: [] },
  ...{ text, words: spokenWords(spoken) },
});

test('a number in digits has the times of the words that it was spoken with', (t) => {
  const shown = shownWords(
    segment('It costs $5.50, or so.', 'It costs five dollars and fifty cents, or so.'),
  );
  t.deepEqual(
    shown.map(({ word, start, end }) => [word, start, end]),
    [
      ['It', 0, 0.9],
      ['costs', 1, 1.9],
      ['$5.50,', 2, 6.9],
      ['or', 7, 7.9],
      ['so.', 8, 8.9],
    ],
  );
});

test('a number of several words divides the time of its words', (t) => {
  const spoken = 'Le zéro six douze trente-quatre est libre';
  const shown = shownWords(segment('Le 06 12 34 est libre', spoken));
  t.deepEqual(
    shown.map(({ word, start, end }) => [word, start, end]),
    [
      ['Le', 0, 0.9],
      ['06', 1, 2.9],
      ['12', 2, 3.9],
      ['34', 3, 4.9],
      ['est', 5, 5.9],
      ['libre', 6, 6.9],
    ],
  );
});

test('words that the text repeats unchanged are returned as they are', (t) => {
  const own = segment('one of the ten', 'one of the ten');
  t.is(shownWords(own), own.words);
});

test('every word of the text is shown once, in order, within the time of the segment', (t) => {
  const words = fc.array(fc.constantFrom('a', 'b', '10', 'ten'), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(words, words, (shown, spoken) => {
      const timed = shownWords(segment(shown.join(' '), spoken.join(' ')));
      t.deepEqual(
        timed.map(({ word }) => word),
        shown,
      );
      const starts = timed.map(({ start }) => start);
      t.deepEqual(
        starts,
        starts.toSorted((a, b) => a - b),
      );
      t.true(timed.every(({ start, end }) => start >= 0 && end >= start && end <= spoken.length));
    }),
  );
});

test('subtitles and marks of low confidence show the text, not the words', (t) => {
  const own = segment('I owe you $20 now.', 'I owe you twenty dollars now.');
  t.true(toSrt({ duration: 60, segments: [own] }).includes('I owe you $20 now.'));
  const [cue] = toCues({ duration: 60, segments: [own] }, () => '');
  t.is(cue!.start, 0);
  const words = own.words.map((word) => ({
    ...word,
    confidence: word.word === 'dollars' ? 0.2 : 0.9,
  }));
  const unsure = textPieces({ ...own, words }).filter((piece) => piece.unsure !== null);
  t.deepEqual(
    unsure.map(({ text }) => text),
    ['$20'],
  );
});

test('10,000 words that the text does not repeat divide the time of the segment', (t) => {
  const say = (word: string): string => Array.from({ length: 10_000 }, () => word).join(' ');
  const shown = shownWords(segment(`${say('21')} end`, `${say('twenty one')} end`));
  t.is(shown.length, 10_001);
  t.deepEqual(shown[5_000], { word: '21', start: 10_000, end: 10_001.9, confidence: 0.9 });
  t.is(shown.at(-1)!.start, 20_000);
});
