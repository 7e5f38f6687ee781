// What people type into a search, as terms.
import test from 'ava';
import fc from 'fast-check';
import { parseSearch } from '../../db/search-terms.ts';

const term = (text: string, isPrefix = true, isExcluded = false) => ({
  text,
  isPrefix,
  isExcluded,
});

test('words are prefixes, quotes hold phrases together, a minus excludes', (t) => {
  t.deepEqual(parseSearch('refund "credit card" -test -"not now" Straße'), [
    term('refund'),
    term('credit card', false),
    term('test', false, true),
    term('not now', false, true),
    term('Straße'),
  ]);
});

test('a quote that is still open is a phrase; marks alone are nothing', (t) => {
  t.deepEqual(parseSearch('"credit ca'), [term('credit ca', false)]);
  for (const typed of ['', '  ', '-', '""', '& | ! :*', '"', "'"])
    t.deepEqual(parseSearch(typed), []);
});

test('property: any text gives at most 16 terms of 100 characters, each with a letter', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (typed) => {
      const terms = parseSearch(typed);
      return (
        terms.length <= 16 &&
        terms.every(({ text }) => text.length <= 100 && /[\p{L}\p{N}]/u.test(text))
      );
    }),
  );
  t.pass();
});
