// Spoken numbers in digits: sentences of each language.
import fc from 'fast-check';
import test from 'ava';
import { formatNumbers } from '../../../models/numbers/format-numbers.ts';
import { aside } from './aside-examples.ts';
import { developed } from './developed-examples.ts';
import { further } from './further-examples.ts';
import { held } from './held-examples.ts';
import { listed } from './listed-examples.ts';
import { spoken } from './spoken-examples.ts';
import { unseen } from './unseen-examples.ts';

/** [spoken, written] */
function pairs(table: string): readonly (readonly [string, string])[] {
  return table
    .trim()
    .split('\n')
    .map((line) => line.split(' = '))
    .map(([spoken = '', written = spoken]) => [spoken, written]);
}

for (const [part, tables] of Object.entries({
  aside,
  developed,
  further,
  held,
  listed,
  spoken,
  unseen,
})) {
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

test('what is written in digits stays as it is when it is read again', (t) => {
  for (const tables of [aside, developed, further, held, listed, spoken, unseen]) {
    for (const [code, table] of Object.entries(tables)) {
      for (const [, written] of pairs(table))
        t.is(formatNumbers(written.split(' '), code), written, code);
    }
  }
});

test('every language with rules has examples', (t) => {
  const languages = ['en', 'es', 'fr', 'de', 'it'];
  t.deepEqual([Object.keys(developed), Object.keys(held)], [languages, languages]);
});

test('numbers that are written in digits already stay beside spoken ones', (t) => {
  for (const text of ['Between five and 200 people', 'ten past 10', 'half past 10', '5 to 600']) {
    t.true(formatNumbers(text.split(' '), 'en').endsWith(text.split(' ').at(-1)!), text);
  }
});

test('a repeated digit before other numbers stays as it was spoken', (t) => {
  t.is(formatNumbers('double zero triple word'.split(' '), 'en'), 'double zero triple word');
});

const digit = fc.integer({ min: 0, max: 9 });
const names = 'zero one two three four five six seven eight nine'.split(' ');
const counts = (digits: readonly number[]): boolean =>
  [1, -1].some((step) => digits.slice(1).every((each, i) => Math.sign(each - digits[i]!) === step));

test('commas between the digits of a code, spoken or written, change nothing', (t) => {
  const codes = fc
    .array(digit, { minLength: 4, maxLength: 20 })
    .filter((digits) => !counts(digits));
  fc.assert(
    fc.property(codes, fc.boolean(), (digits, isWritten) => {
      const spoken = digits.map((each) => (isWritten ? `${each}` : names[each]!)).join(', ');
      const written = formatNumbers(`The code is ${spoken}.`.split(' '), 'en');
      return written.replaceAll(/\D/g, '') === digits.join('') && !/\d[, ]/.test(written);
    }),
  );
  t.pass();
});

test('three numbers of three digits are one; a number of two digits makes a list', (t) => {
  const written = (text: string): string => formatNumbers(text.split(' '), 'en');
  const spoken = 'call nine hundred eleven two hundred twelve three hundred thirteen now';
  t.is(written(spoken), 'call 911212313 now');
  t.is(written('The code is 4, 22, 4, 2.'), 'The code is 4, 22, 4, 2.');
});

test('few numbers that nobody calls a code, and what is counted, stay a list', (t) => {
  const lists = fc.oneof(
    fc.array(digit, { minLength: 2, maxLength: 6 }),
    fc.uniqueArray(digit, { minLength: 2 }).map((digits) => digits.toSorted((a, b) => a - b)),
  );
  fc.assert(
    fc.property(lists, fc.constantFrom('She drew', 'The code is'), (digits, before) => {
      fc.pre(before === 'She drew' || counts(digits));
      const words = `${before} ${digits.map((each) => names[each]!).join(', ')}.`.split(' ');
      return formatNumbers(words, 'en') === words.join(' ');
    }),
  );
  t.pass();
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
  const digits = Array.from({ length: 10_000 }, () => '5');
  t.is(formatNumbers(digits, 'en'), digits.join(' '));
  const ordinals = Array.from({ length: 10_000 }, () => 'fifth');
  t.is(formatNumbers(ordinals, 'en'), ordinals.join(' '));
});
