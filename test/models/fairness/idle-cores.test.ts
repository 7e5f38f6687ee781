// The share of the cores that nobody used, from the kernel's counts.
import { readFileSync } from 'node:fs';
import test from 'ava';
import {
  createIdleCores,
  parseCoreTimes,
  type CoreTimes,
} from '../../../models/fairness/idle-cores.ts';

test('counts of proc(5) are parsed; anything else is not known', (t) => {
  const stat = 'cpu  10 2 8 70 5 1 3 1 9 0\ncpu0 1 1 1 1 1 1 1 1 0 0\nctxt 5\n';
  t.deepEqual(parseCoreTimes(stat), { idle: 75, total: 100 });
  t.is(parseCoreTimes('intr 5\n'), null);
});

test('the share is that since the question before, and is kept for a tenth of a second', (t) => {
  let times: CoreTimes | null = { idle: 0, total: 0 };
  let nowMs = 0;
  const cores = createIdleCores(
    () => times,
    () => nowMs,
  );
  const after = (ms: number, idle: number, total: number): number => {
    nowMs += ms;
    times = { idle: times!.idle + idle, total: times!.total + total };
    return cores.share();
  };
  t.is(after(200, 30, 40), 0.75);
  t.is(after(50, 0, 10), 0.75);
  t.is(after(60, 1, 10), 0.05);
  times = null;
  nowMs += 200;
  t.is(cores.share(), 0);
});

test('on Linux a machine has times', (t) => {
  if (process.platform !== 'linux') return t.pass('not Linux: never spare');
  const times = parseCoreTimes(readFileSync('/proc/stat', 'utf8'));
  t.true(times!.total > times!.idle && times!.idle > 0);
});
