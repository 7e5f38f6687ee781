// Work of one key waits for what came before it, whatever became of that; other keys do not wait.
import test from 'ava';
import { createKeyedMutex } from '../../../models/concurrency/keyed-mutex.ts';

const unaborted = new AbortController().signal;

test('work of a key begins when what came before has ended, even by an error', async (t) => {
  const mutex = createKeyedMutex();
  const order: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  const work = (key: string, name: string): Promise<string> =>
    mutex.run(
      key,
      () => {
        order.push(name);
        const end = Promise.withResolvers<string>();
        ends.set(name, end);
        return end.promise;
      },
      unaborted,
    );
  const [failing, second, third, other] = [
    work('a', 'first'),
    work('a', 'second'),
    work('a', 'third'),
    work('b', 'other'),
  ];
  ends.get('other')!.resolve('done');
  t.is(await other, 'done');
  t.deepEqual(order, ['first', 'other']);
  ends.get('first')!.reject(new Error('broken'));
  await t.throwsAsync(failing, { message: 'broken' });
  t.deepEqual(order, ['first', 'other', 'second']);
  ends.get('second')!.resolve('done');
  t.is(await second, 'done');
  t.deepEqual(order, ['first', 'other', 'second', 'third']);
  ends.get('third')!.resolve('done');
  t.is(await third, 'done');
  t.is(await mutex.run('a', async () => 'again', unaborted), 'again');
});

test('who waits may leave; who comes after still waits for what has begun', async (t) => {
  const mutex = createKeyedMutex();
  const first = Promise.withResolvers<string>();
  const controller = new AbortController();
  const running = mutex.run('a', () => first.promise, unaborted);
  const left = mutex.run('a', () => Promise.resolve(t.fail()), controller.signal);
  let began = false;
  const third = mutex.run('a', async () => (began = true), unaborted);
  controller.abort(new Error('cancelled'));
  await t.throwsAsync(left, { message: 'cancelled' });
  t.false(began);
  first.resolve('done');
  t.is(await running, 'done');
  t.true(await third);
  const over = mutex.run('a', () => Promise.resolve(t.fail()), controller.signal);
  await t.throwsAsync(over, { message: 'cancelled' });
});
