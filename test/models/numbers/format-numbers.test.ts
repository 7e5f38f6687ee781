// Spoken numbers in digits: sentences of each language.
import test from 'ava';
import { formatNumbers, numberLanguages } from '../../../models/numbers/format-numbers.ts';
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
  t.deepEqual(Object.keys(developed), numberLanguages);
  t.deepEqual(Object.keys(held), numberLanguages);
});
