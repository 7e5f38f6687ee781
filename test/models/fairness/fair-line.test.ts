// A line before shared places: one's own hoard holds up oneself, never a stranger.
import { setImmediate as nextTick } from 'node:timers/promises';
import test from 'ava';
import { createFairLine, LineTooLong } from '../../../models/fairness/fair-line.ts';

test('who is alone takes every place; the others of its own wait in order', async (t) => {
  const line = createFairLine(2);
  const leave = [await line.enter('a'), await line.enter('a')];
  const entered: number[] = [];
  const third = line.enter('a').then(() => entered.push(3));
  const fourth = line.enter('a').then(() => entered.push(4));
  await nextTick();
  t.deepEqual(entered, []);
  leave[0]!();
  await third;
  t.deepEqual(entered, [3]);
  leave[1]!();
  await fourth;
  t.deepEqual(entered, [3, 4]);
});

test('a stranger enters at once beside a hoard, up to its share', async (t) => {
  const line = createFairLine(4);
  for (let i = 0; i < 4; i += 1) await line.enter('hoarder');
  const waiting = Array.from({ length: 100 }, () => line.enter('hoarder', { patienceMs: 1 }));
  await line.enter('b');
  await line.enter('b');
  await t.throwsAsync(line.enter('b', { patienceMs: 1 }), { instanceOf: LineTooLong });
  for (const each of waiting) await t.throwsAsync(each, { instanceOf: LineTooLong });
});

test('a place that is given back goes to who has had fewest', async (t) => {
  const line = createFairLine(1);
  const leave = await line.enter('a');
  const order: string[] = [];
  const enter = async (name: string): Promise<void> => {
    const leaveAgain = await line.enter(name);
    order.push(name);
    await nextTick();
    leaveAgain();
  };
  const leaveBeside = await line.enter('b');
  leaveBeside();
  const all = ['a', 'a', 'a', 'b', 'b'].map(enter);
  leave();
  await Promise.all(all);
  t.is(order.filter((name) => name === 'b').length, 2);
  t.true(order.lastIndexOf('b') < order.lastIndexOf('a'), order.join(' '));
});

test('who gives up leaves the line, and takes no place', async (t) => {
  const line = createFairLine(1);
  const leave = await line.enter('a');
  const aborter = new AbortController();
  const abandoned = line.enter('a', { signal: aborter.signal });
  const next = line.enter('a');
  aborter.abort(new Error('not wanted'));
  await t.throwsAsync(abandoned, { message: 'not wanted' });
  leave();
  (await next)();
  await t.throwsAsync(line.enter('a', { signal: aborter.signal }), { message: 'not wanted' });
  t.pass();
});
