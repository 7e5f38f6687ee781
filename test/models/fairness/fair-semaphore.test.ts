// A fair semaphore: an organization's backlog delays itself and no other one.
import { setImmediate as nextTick } from 'node:timers/promises';
import test from 'ava';
import { createFairSemaphore, AcquireTimeout } from '../../../models/fairness/fair-semaphore.ts';

test('an organization that is alone takes every slot; its others wait in order', async (t) => {
  const line = createFairSemaphore(2);
  const leave = [await line.acquire('a'), await line.acquire('a')];
  const entered: number[] = [];
  const third = line.acquire('a').then(() => entered.push(3));
  const fourth = line.acquire('a').then(() => entered.push(4));
  await nextTick();
  t.deepEqual(entered, []);
  leave[0]!();
  await third;
  t.deepEqual(entered, [3]);
  leave[1]!();
  await fourth;
  t.deepEqual(entered, [3, 4]);
});

test('another organization enters at once beside a backlog, up to its share', async (t) => {
  const line = createFairSemaphore(4);
  for (let i = 0; i < 4; i += 1) await line.acquire('hoarder');
  const waiting = Array.from({ length: 100 }, () => line.acquire('hoarder', { timeoutMs: 1 }));
  await line.acquire('b');
  await line.acquire('b');
  await t.throwsAsync(line.acquire('b', { timeoutMs: 1 }), { instanceOf: AcquireTimeout });
  for (const each of waiting) await t.throwsAsync(each, { instanceOf: AcquireTimeout });
});

test('a freed slot goes to the organization that has had fewest', async (t) => {
  const line = createFairSemaphore(1);
  const leave = await line.acquire('a');
  const order: string[] = [];
  const enter = async (name: string): Promise<void> => {
    const leaveAgain = await line.acquire(name);
    order.push(name);
    await nextTick();
    leaveAgain();
  };
  const leaveBeside = await line.acquire('b');
  leaveBeside();
  const all = ['a', 'a', 'a', 'b', 'b'].map(enter);
  leave();
  await Promise.all(all);
  t.is(order.filter((name) => name === 'b').length, 2);
  t.true(order.lastIndexOf('b') < order.lastIndexOf('a'), order.join(' '));
});

test('a cancelled waiter leaves the queue and takes no slot', async (t) => {
  const line = createFairSemaphore(1);
  const leave = await line.acquire('a');
  const aborter = new AbortController();
  const abandoned = line.acquire('a', { signal: aborter.signal });
  const next = line.acquire('a');
  aborter.abort(new Error('not wanted'));
  await t.throwsAsync(abandoned, { message: 'not wanted' });
  leave();
  (await next)();
  await t.throwsAsync(line.acquire('a', { signal: aborter.signal }), { message: 'not wanted' });
  t.pass();
});
