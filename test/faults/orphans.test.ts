// What counts as growth of a process: memory beyond the largest that it had before.
import test from 'ava';
import { grownBeyond, heldBy, type Held } from './orphans.ts';

const held = (residentMiB: number, peakMiB = residentMiB): Held => ({
  ...{ residentMiB, peakMiB },
  descriptors: 40,
  children: 3,
});

test('memory that was freed before and is used again has not grown', (t) => {
  const before = held(348, 487);
  t.deepEqual(grownBeyond('worker', before, held(535)), []);
  t.deepEqual(grownBeyond('worker', before, held(640)), ['worker has grown by 153 MiB']);
});

test('the largest memory of a process outlasts its release', (t) => {
  if (process.platform !== 'linux') return t.pass('the kernel does not report on processes');
  const { residentMiB, peakMiB } = heldBy({ pid: process.pid });
  t.true(residentMiB > 0);
  t.true(peakMiB >= residentMiB);
});
