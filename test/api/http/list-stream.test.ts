// Lists in steps: the JSON of the whole list, with turns of the event loop in between.
import { json } from 'node:stream/consumers';
import test from 'ava';
import fc from 'fast-check';
import { inSteps, stepRows, streamArray, streamList } from '../../../api/http/list-stream.ts';
import { countTurns } from '../../support/event-loop.ts';

const rowsOf = (count: number) => Array.from({ length: count }, (_, i) => ({ id: `"${i}\\`, i }));

test('a list in steps equals the list', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.nat(3 * stepRows), fc.boolean(), async (count, more) => {
      const rows = rowsOf(count);
      const body = await streamList(
        'org',
        inSteps({ rows, more }, (some) => some),
      );
      t.deepEqual(await json(body), {
        object: 'list',
        data: rows,
        first_id: rows[0]?.id ?? null,
        last_id: rows.at(-1)?.id ?? null,
        has_more: more,
      });
    }),
    { numRuns: 50 },
  );
});

test('the event loop turns after every step, however fast the list is read', async (t) => {
  const turnsAt: number[] = [];
  const counter = countTurns();
  const body = await streamList(
    'org',
    inSteps({ rows: rowsOf(1_000), more: false }, (some) => {
      turnsAt.push(counter.turns());
      return some;
    }),
  );
  await json(body);
  counter.stop();
  t.is(turnsAt.length, 1_000 / stepRows);
  t.is(new Set(turnsAt.slice(1)).size, turnsAt.length - 1);
});

test('a failure in the first step precedes any answer', async (t) => {
  const body = streamList(
    'org',
    inSteps({ rows: rowsOf(1), more: false }, () => Promise.reject(new Error('gone'))),
  );
  await t.throwsAsync(body, { message: 'gone' });
});

test('an array in steps equals the array; an error before its first value is thrown', async (t) => {
  for (const count of [0, 1, 30]) {
    const rows = rowsOf(count);
    const values = (async function* () {
      yield* rows;
    })();
    t.deepEqual(await json(await streamArray('org', values)), rows);
  }
  const broken = {
    next: async (): Promise<IteratorResult<object>> => Promise.reject(new Error('no database')),
  };
  await t.throwsAsync(streamArray('org', broken), { message: 'no database' });
});
