// Spoken numbers in digits: sentences of each language.
import test from 'ava';
import { formatNumbers } from '../../../models/numbers/format-numbers.ts';
import { developed } from './developed-examples.ts';
import { held } from './held-examples.ts';

/** [spoken, written] */
function pairs(table: string): readonly (readonly [string, string])[] {
  return table
    .trim()
    .split('\n')
    .map((line) => line.split(' = '))
    .map(([spoken = '', written = spoken]) => [spoken, written]);
}

for (const [part, tables] of Object.entries({ developed, held })) {
  for (const [code, table] of Object.entries(tables)) {
    test(`${code}: spoken numbers are written in digits, doubtful ones as words (${part})`, (t) => {
      const written = pairs(table).map(([spoken]) => formatNumbers(spoken.split(' '), code));
      t.deepEqual(
        written,
        pairs(table).map(([, expected]) => expected),
      );
    });
  }
}

test('every language with rules has examples', (t) => {
  const languages = ['en', 'es', 'fr', 'de', 'it'];
  t.deepEqual([Object.keys(developed), Object.keys(held)], [languages, languages]);
});

test('a repeated digit before other numbers stays as it was spoken', (t) => {
  t.is(formatNumbers('double zero triple word'.split(' '), 'en'), 'double zero triple word');
});

test('a long word and many numbers without another word are read', (t) => {
  for (const [part, code] of [
    ['einundzwanzig', 'de'],
    ['trentatré', 'it'],
    ['ein', 'de'],
    ['five.', 'en'],
  ] as const) {
    const word = `${part.repeat(10_000)}x`;
    t.is(formatNumbers([word], code), word);
  }
  const words = Array.from({ length: 10_000 }, () => 'five,');
  t.is(formatNumbers(words, 'en'), words.join(' '));
  const ordinals = Array.from({ length: 10_000 }, () => 'fifth');
  t.is(formatNumbers(ordinals, 'en'), ordinals.join(' '));
});
