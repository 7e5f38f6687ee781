// An organization that starts many runs at once, and another one that starts one.
import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import { createStartGate } from '../../../models/fairness/start-gate.ts';

// Slots that nobody frees lapse one after the other, and a process waits for its timers.
test.beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
test.afterEach.always(() => mock.timers.reset());

test.serial('eight runs of a flood start, and another organization’s at once', async (t) => {
  const { enter, begun } = await flood();
  t.is(begun.length, 8);
  await enter('stranger');
});

test.serial('a slot that is released twice is granted once', async (t) => {
  const { begun } = await flood();
  begun[0]!();
  begun[0]!();
  await setImmediate();
  t.is(begun.length, 9);
});

test.serial('beside another organization a flood starts one run per core', async (t) => {
  const clock = { ms: 0 };
  const { enter, begun } = await flood(clock);
  const leave = await enter('stranger');
  for (let left = 0; left < 7; left += 1) begun[left]!();
  await setImmediate();
  t.is(begun.length, 9, 'six of its eight are not given on');
  leave();
  clock.ms = 5_000;
  begun[7]!();
  await setImmediate();
  t.is(begun.length, 10, 'one that has gone is about for a while');
  clock.ms = 5_001;
  begun[8]!();
  await setImmediate();
  t.is(begun.length, 17, 'and who is alone again has all');
});

test.serial('more cores mean more slots', async (t) => {
  const { begun } = await flood({ ms: 0 }, 16);
  t.is(begun.length, 64);
});

test.serial('a start that takes long frees its slot', async (t) => {
  const { begun } = await flood();
  mock.timers.tick(999);
  await setImmediate();
  t.is(begun.length, 8);
  mock.timers.tick(1);
  await setImmediate();
  t.is(begun.length, 16);
});

async function flood(clock = { ms: 0 }, cores = 2) {
  const enter = createStartGate({ slotMs: 1_000, cores, now: () => clock.ms });
  const begun: (() => void)[] = [];
  for (let i = 0; i < 100; i += 1) void enter('flood').then((leave) => begun.push(leave));
  await setImmediate();
  return { enter, begun };
}
