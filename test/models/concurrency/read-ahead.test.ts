// Reads ahead keep their order, and are never more than asked for.
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { readAhead } from '../../../models/concurrency/read-ahead.ts';

async function* numbers(count: number): AsyncGenerator<number> {
  for (let i = 0; i < count; i += 1) yield i;
}

test('results come in order, with so many reads at once', async (t) => {
  let [now, most] = [0, 0];
  const results = readAhead(numbers(20), 4, async (i) => {
    now += 1;
    most = Math.max(most, now);
    await sleep((i * 7) % 5);
    now -= 1;
    return i;
  });
  t.deepEqual(await Array.fromAsync(results), [...Array(20).keys()]);
  t.is(most, 4);
});

test('a reader that waits has no more read for it', async (t) => {
  let begun = 0;
  const results = readAhead(numbers(20), 3, async () => (begun += 1));
  await results.next();
  await sleep(1);
  t.is(begun, 3);
  await results.return(undefined);
  t.is(begun, 3);
});

test('a failure comes in its turn', async (t) => {
  const results = readAhead(numbers(6), 3, async (i) => {
    if (i === 2) throw new Error('gone');
    return i;
  });
  const seen: number[] = [];
  const all = async (): Promise<void> => {
    for await (const each of results) seen.push(each);
  };
  await t.throwsAsync(all(), { message: 'gone' });
  t.deepEqual(seen, [0, 1]);
});
