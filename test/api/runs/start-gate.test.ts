// An organization that starts many runs at once, and another one that starts one.
import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import { createStartGate } from '../../../api/runs/start-gate.ts';

test.serial('eight runs of a flood start, and another organization’s at once', async (t) => {
  const { enter, begun } = await flood();
  t.is(begun.length, 8);
  const leave = await enter('stranger');
  leave();
  begun[0]!();
  begun[0]!();
  await setImmediate();
  t.is(begun.length, 9, 'a place that is given back is given on once');
});

test.serial('a start that takes long frees its slot', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const { begun } = await flood();
  mock.timers.tick(999);
  await setImmediate();
  t.is(begun.length, 8);
  mock.timers.tick(1);
  await setImmediate();
  t.is(begun.length, 16);
});

async function flood() {
  const enter = createStartGate();
  const begun: (() => void)[] = [];
  for (let i = 0; i < 100; i += 1) void enter('flood').then((leave) => begun.push(leave));
  await setImmediate();
  return { enter, begun };
}
