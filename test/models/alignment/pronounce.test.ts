// From written words to their pronunciation.
import test from 'ava';
import { letterPhones } from '../../../models/alignment/letter-to-phone.ts';
import { numberWords } from '../../../models/alignment/number-words.ts';
import { spokenWords } from '../../../models/alignment/pronounce.ts';

test('numbers, symbols, compounds and marks are pronounced', (t) => {
  t.deepEqual(spokenWords('$25.50'), ['dollars', 'twenty', 'five', 'fifty']);
  t.deepEqual(spokenWords('Twenty-one,'), ['twenty', 'one']);
  t.deepEqual(spokenWords('café’s'), ["cafe's"]);
  t.deepEqual(spokenWords("'tis"), ['tis']);
  t.deepEqual(spokenWords('\u2014'), []);
  t.deepEqual(spokenWords('1,250th'), ['one', 'thousand', 'two', 'hundred', 'fifty']);
});

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

test('a word of 100,000 characters is read', (t) => {
  const digits = '1'.repeat(100_000);
  t.is(spokenWords(`${digits}x`).length, 100_001);
  t.is(spokenWords(`${digits}st`).length, 100_000);
  t.deepEqual(spokenWords(`''a${"'".repeat(100_000)}b''`), [`a${"'".repeat(100_000)}b`]);
});
