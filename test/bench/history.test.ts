// The table of ratios and its history.
import { readFileSync } from 'node:fs';
import test from 'ava';
import { ratioRow, ratiosBefore, tableHead } from './history.ts';

const document = [
  tableHead,
  '| 1: a call / a loop | 5.9 s / 8.7 s | 0.68 | <= 0.90 | 7 | 1.13, 0.80 |',
  '| 2: a file / the program | 381 ms / 320 ms | **1.13** | <= 1.10 | 9 | |',
].join('\n');
const measured = { aMs: 5_800, bMs: 8_712, ratio: 0.666, rounds: 7 };

test('a new figure goes before the ones that it follows', (t) => {
  const name = '1: a call / a loop';
  const before = ratiosBefore(document, name);
  t.deepEqual(before, ['1.13', '0.80', '0.68']);
  t.is(
    ratioRow({ ...measured, name, gate: '<= 0.90' }, before),
    '| 1: a call / a loop | 5.8 s / 8.7 s | 0.67 | <= 0.90 | 7 | 1.13, 0.80, 0.68 |',
  );
});

test('a ratio that misses its gate is bold, and read as a number again', (t) => {
  const name = '2: a file / the program';
  t.deepEqual(ratiosBefore(document, name), ['1.13']);
  t.regex(ratioRow({ ...measured, name, gate: '<= 0.60' }, []), /\*\*0\.67\*\*/);
  t.regex(ratioRow({ ...measured, name, gate: '>= 0.60' }, []), /\| 0\.67 \|/);
});

test('a new ratio has no past', (t) => {
  t.deepEqual(ratiosBefore(document, '3: new'), []);
});

test('the document has the table that is read', (t) => {
  const text = readFileSync(new URL('../../docs/BENCHMARKS.md', import.meta.url), 'utf8');
  t.true(text.includes(tableHead));
  t.true(ratiosBefore(text, '1: 10 min call, HTTP / bare loop').length > 1);
});
