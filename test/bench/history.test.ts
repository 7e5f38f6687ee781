// The table of ratios and the history of all figures.
import { readFileSync } from 'node:fs';
import test from 'ava';
import { figuresOf } from './figures.ts';
import { figuresBefore, historyHead, historyLines, machineOf, ratioRow } from './history.ts';

const history = [
  historyHead,
  ',,,"1: a call, HTTP / a loop",1.13',
  '2026-11-22,f7ef4659,,"1: a call, HTTP / a loop",0.68',
  '2026-11-22,f7ef4659,,"2: a file / the program",0.85',
  '',
].join('\n');
const measured = { aMs: 5_800, bMs: 8_712, ratio: 0.666, rounds: 7 };
const call = { ...measured, name: '1: a call, HTTP / a loop', gate: '<= 0.90' };

test('a row ends with the figures before it, oldest first', (t) => {
  const before = figuresBefore(history, call.name);
  t.deepEqual(before, ['1.13', '0.68']);
  t.is(
    ratioRow(call, before),
    '| 1: a call, HTTP / a loop | 5.8 s / 8.7 s | 0.67 | <= 0.90 | 7 | 1.13, 0.68 |',
  );
  t.deepEqual(figuresBefore(history, '3: new'), []);
});

test('a ratio that misses its gate is bold', (t) => {
  t.regex(ratioRow({ ...call, gate: '<= 0.60' }, []), /\*\*0\.67\*\*/);
  t.regex(ratioRow({ ...call, gate: '>= 0.60' }, []), /\| 0\.67 \|/);
});

test('the figures of a run follow those before it', (t) => {
  const run = { date: '2026-11-29', commit: '0655bde5', machine: 'avx512_vnni' };
  const nothing = { streams: null, live: null, memory: null, stackMemory: null };
  const added = historyLines(run, figuresOf({ ...nothing, ratios: [call] }));
  t.is(added, '2026-11-29,0655bde5,avx512_vnni,"1: a call, HTTP / a loop",0.67\n');
  t.deepEqual(figuresBefore(history + added, call.name), ['1.13', '0.68', '0.67']);
});

test('a machine is what its processor multiplies bytes with', (t) => {
  t.is(machineOf('flags\t\t: fpu avx2 avx_vnni avx512_vnni\n', 'x64'), 'avx512_vnni');
  t.is(machineOf('flags\t\t: avx2 avx512_vnni amx_int8\n', 'x64'), 'amx_int8');
  t.is(machineOf('flags\t\t: fpu avx avx2\n', 'x64'), 'avx2');
  t.is(machineOf('Features\t: fp asimd\n', 'arm64'), 'arm64');
});

test('the file has a figure in each line, and those of the ratios', (t) => {
  const path = new URL('../../docs/benchmarks/history.csv', import.meta.url);
  const [head, ...lines] = readFileSync(path, 'utf8').replace(/\n$/, '').split('\n');
  t.is(head, historyHead);
  const line = /^(\d{4}-\d\d-\d\d)?,([0-9a-f]{8}(-dirty)?)?,\w*,"[^"]+",-?\d+(\.\d+)?$/;
  t.deepEqual(
    lines.filter((each) => !line.test(each)),
    [],
  );
  t.true(figuresBefore(lines.join('\n'), '1: 10 min call, HTTP / bare loop').length > 1);
});
