// From written words to their pronunciation.
import test from 'ava';
import { letterPhones } from '../../../models/alignment/letter-to-phone.ts';
import { numberWords } from '../../../models/alignment/number-words.ts';
import { createPronouncer } from '../../../models/alignment/pronounce.ts';

test('long numbers are read digit by digit', (t) => {
  t.is(numberWords('007'), 'zero zero seven');
  t.is(numberWords('12345'), 'one two three four five');
  t.is(numberWords('1105'), 'one thousand one hundred five');
});

test('the longest context wins, and letters without a rule are silent', (t) => {
  const rules = { '|c|': ['K'], '|a|': ['AE'], '|t|': ['T'], '#|c|i': ['S'], '|c|i': ['S'] };
  t.deepEqual(letterPhones('cat', rules), ['K', 'AE', 'T']);
  t.deepEqual(letterPhones('cia', rules), ['S', 'AE']);
});

test('what is written has the phones of each reading, in every pronunciation', (t) => {
  const known: Readonly<Record<string, number[][]>> = { a: [[0], [1]], and: [[2]] };
  const lexicon = { lookUp: (word: string) => known[word] ?? [] };
  const pronouncer = createPronouncer(lexicon, { '|b|': ['B'] }, ['A', 'E', 'N', 'B']);
  const part = (...pronunciations: number[][]) => [[pronunciations]];
  t.deepEqual(pronouncer.partsOf(['a', 'b&', '-']), [[part([0], [1])], [part([3]), part([2])], []]);
});
