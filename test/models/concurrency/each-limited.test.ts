// Bounded concurrency over a list, and what is left of it after an error.
import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import { eachLimited } from '../../../models/concurrency/each-limited.ts';

test('no more than the limit run at once, and all of them do', async (t) => {
  let running = 0;
  let most = 0;
  const done: number[] = [];
  await eachLimited([1, 2, 3, 4, 5], 2, async (item) => {
    most = Math.max(most, (running += 1));
    await setImmediate();
    running -= 1;
    done.push(item);
  });
  t.deepEqual([most, done], [2, [1, 2, 3, 4, 5]]);
});

test('after an error nothing begins, and it is reported when all has ended', async (t) => {
  const ended: number[] = [];
  const ends = Promise.withResolvers<void>();
  const ran = eachLimited([1, 2, 3], 2, async (item) => {
    if (item === 1) throw new Error('broken');
    await ends.promise;
    ended.push(item);
  });
  let reported = false;
  void ran.catch(() => (reported = true));
  await setImmediate();
  t.false(reported);
  ends.resolve();
  await t.throwsAsync(ran, { message: 'broken' });
  t.deepEqual(ended, [2]);
});

test('the first error in time is the one that is reported', async (t) => {
  const ran = eachLimited([1, 2], 2, async (item) => {
    if (item === 1) await setImmediate();
    throw new Error(String(item));
  });
  await t.throwsAsync(ran, { message: '2' });
});
