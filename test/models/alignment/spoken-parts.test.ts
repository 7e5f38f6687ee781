// What may be said for written words, and that what `format_numbers` writes is read back.
import test from 'ava';
import fc from 'fast-check';
import {
  cardinalReadings,
  numberReadings,
  ordinalReadings,
} from '../../../models/alignment/number-words.ts';
import { spokenParts } from '../../../models/alignment/spoken-parts.ts';
import { formatNumbers } from '../../../models/numbers/format-numbers.ts';
import { developed } from '../numbers/developed-examples.ts';
import { held } from '../numbers/held-examples.ts';

/** Whether the words may be said for the text. */
function isReadAs(text: string, spoken: string): boolean {
  const words = spoken.split(' ');
  let reached = new Set([0]);
  for (const readings of spokenParts(text.split(' ')).flat()) {
    const options = readings.map((reading) => reading.split(' ').filter(Boolean));
    reached = new Set(
      [...reached].flatMap((at) =>
        options.flatMap((said) =>
          said.every((w, i) => words[at + i] === w) ? at + said.length : [],
        ),
      ),
    );
  }
  return reached.has(words.length);
}

/** A sentence in words, as it is said. */
function said(sentence: string): string {
  return sentence
    .toLowerCase()
    .match(/[a-z']+/g)!
    .join(' ');
}

test('numbers, amounts, times, symbols and abbreviations are read as they are said', (t) => {
  const cases: readonly (readonly [string, ...string[]])[] = [
    ['3rd', 'third'],
    ['21st', 'twenty first'],
    ['1,250th', 'one thousand two hundred and fiftieth', 'twelve hundred fiftieth'],
    ['$20', 'twenty dollars'],
    ['$1', 'one dollar', 'a dollar'],
    ['$25.50', 'twenty five dollars fifty', 'twenty five dollars and fifty cents'],
    ['£5.05', 'five pounds and five pence', 'five oh five', 'five pounds five'],
    ['$0.50', 'fifty cents'],
    ['€3.5', 'three point five euros'],
    ['$2.5 million,', 'two point five million dollars'],
    ['$5 to $10.', 'five to ten dollars', 'five dollars to ten dollars'],
    ['$1 million or $2 million', 'one million or two million dollars'],
    ['1995', 'nineteen ninety five', 'one thousand nine hundred and ninety five'],
    ['1900', 'nineteen hundred'],
    ['2005', 'two thousand and five', 'twenty oh five'],
    ['the 1990s', 'the nineteen nineties'],
    ['9:30', 'nine thirty', 'half past nine'],
    ['10:05', 'ten oh five', 'ten five'],
    ['12:45', 'twelve forty five', 'quarter to one'],
    ['3.14', 'three point one four'],
    ['0.5%', 'zero point five percent', 'oh point five per cent', 'point five percent'],
    ['2 kg', 'two kilograms', 'two kilos'],
    ['5km', 'five kilometers'],
    ['Prof. Li vs. Wu', 'professor li versus wu'],
    ['Twenty-one,', 'twenty one'],
    ['café’s', "cafe's"],
    ["'tis", 'tis'],
    ['555-1234', 'five five five one two three four', 'double five five twelve thirty four'],
    ['007', 'double oh seven', 'zero zero seven'],
  ];
  for (const [text, ...readings] of cases) {
    for (const reading of readings) t.true(isReadAs(text, reading), `${text}: ${reading}`);
  }
  t.false(isReadAs('3rd', 'three'));
  t.false(isReadAs('$20', 'dollars twenty'));
  t.false(isReadAs('$2 million', 'two dollars million'));
  t.false(isReadAs('$5 to 10', 'five to ten'));
});

test('what is not spoken has no part', (t) => {
  t.deepEqual(spokenParts(['\u2014', '...']), [[], []]);
});

test('a word of 100,000 characters is read', (t) => {
  const digits = '1'.repeat(100_000);
  const [compound, ordinals] = spokenParts([`${digits}x`, `${digits}st`]).map((parts) =>
    parts.map(([reading]) => reading!.split(' ').length),
  );
  t.deepEqual([compound, ordinals], [[100_000, 1], [100_000]]);
  const name = `a${"'".repeat(100_000)}b`;
  t.deepEqual(spokenParts([`''${name}''`]), [[[name]]]);
});

test('what format_numbers writes is read back', (t) => {
  for (const line of [developed, held].flatMap(({ en }) => en!.trim().split('\n'))) {
    const [spoken = ''] = line.split(' = ');
    if (/\d/.test(spoken)) continue;
    const written = formatNumbers(spoken.split(' '), 'en');
    t.true(isReadAs(written, said(spoken)), `${written}: ${spoken}`);
  }
});

const numbers = fc.oneof(
  fc.integer({ min: 0, max: 120 }),
  fc.integer({ min: 1_000, max: 2_100 }),
  fc.integer({ min: 0, max: 999_999_999 }),
);
/** Too short for a telephone number, whose hyphen may part a doubled digit. */
const codes = fc.oneof(fc.nat(2_100), fc.nat(999_999));
const small = fc.integer({ min: 2, max: 999 });
const minutes = fc.integer({ min: 1, max: 59 });

const kinds = [
  {
    ...{ kind: 'quantities', values: numbers, readings: cardinalReadings },
    sentences: [
      (n: string) => `there were ${n} of them`,
      (n: string) => `it costs ${n} dollars`,
      (n: string) => `it costs ${n} dollars and fifty cents`,
      (n: string) => `it grew by ${n} percent`,
      (n: string) => `it grew by ${n} point five percent`,
    ],
  },
  {
    ...{ kind: 'amounts of millions', values: small, readings: cardinalReadings },
    sentences: [(n: string) => `it costs ${n} million dollars`],
  },
  {
    ...{ kind: 'years and codes', values: codes, readings: numberReadings },
    sentences: [(n: string) => `it was in ${n}`, (n: string) => `the code is ${n}`],
  },
  {
    ...{ kind: 'ordinals', values: numbers, readings: ordinalReadings },
    sentences: [(n: string) => `it was the ${n} time`, (n: string) => `we met on may ${n}`],
  },
  {
    ...{ kind: 'times and cents', values: minutes, readings: cardinalReadings },
    sentences: [
      (n: string) => `they came at eight ${n}`,
      (n: string) => `they came at eight oh ${n} pm`,
      (n: string) => `it costs seven dollars ${n}`,
    ],
  },
];

for (const { kind, values, readings, sentences } of kinds) {
  test(`${kind} that format_numbers writes are read back`, (t) => {
    fc.assert(
      fc.property(values, fc.nat(), fc.constantFrom(...sentences), (value, pick, sentence) => {
        const words = readings(`${value}`);
        const spoken = sentence(words[pick % words.length]!);
        const written = formatNumbers(spoken.split(' '), 'en');
        t.true(isReadAs(written, spoken), `${written}: ${spoken}`);
      }),
      { numRuns: 1_000 },
    );
  });
}
