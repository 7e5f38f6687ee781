// The text of segments: as decoded, or with the numbers of each language in digits.
import test from 'ava';
import { textWriter } from '../../../../models/analysis/result/segment-text.ts';

const wordsOf = (text: string) =>
  text.split(' ').map((word, i) => ({ word, start: i, end: i + 0.9, confidence: 1 }));

test('numbers are formatted in the language of their chunk, and only on request', (t) => {
  const english = wordsOf('It is ten percent.');
  const german = wordsOf('Das sind zehn Prozent.');
  const polish = wordsOf('To jest sto procent.');
  const chunks = [
    { words: english },
    { words: german, language: 'de' },
    { words: polish, language: 'pl' },
  ];
  const words = [...english, ...german, ...polish];
  t.is(
    textWriter(chunks, { formatNumbers: true })(words),
    'It is 10%. Das sind 10 %. To jest sto procent.',
  );
  t.is(
    textWriter(chunks, { formatNumbers: false })(words),
    'It is ten percent. Das sind zehn Prozent. To jest sto procent.',
  );
});
