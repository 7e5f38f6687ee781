// The end of a batch and the plan of its next items, at the same time: no item stays open.
import test from 'ava';
import { admitItems, readItems } from '../../db/batch-items.ts';
import { cancelBatch } from '../../db/batches.ts';
import { closeBatch } from '../../db/close-batch.ts';
import type { Db } from '../../db/database.ts';
import { untilBlocked } from '../support/blocked.ts';
import { testDatabase } from '../support/database.ts';
import { aStoredBatch } from '../support/stored-batch.ts';

/** A batch of two items that are not planned yet. */
async function unplanned(db: Db) {
  const { batch } = await aStoredBatch(db, ['a', 'b']);
  await db.deleteFrom('requests').execute();
  const plan = (at: Db) => admitItems(at, batch, { from: 0, to: 2, ratePerMinute: 0 });
  const outcome = async () => {
    const items = await readItems(db, batch.id, { from: 0, to: 2 });
    const open = await db
      .selectFrom('requests')
      .select('requestId')
      .where('state', 'in', ['admitted', 'running'])
      .execute();
    return { statuses: items.map(({ status }) => status), open: open.length };
  };
  return { batch, plan, outcome };
}

test('a plan that comes after the end of its batch admits nothing', async (t) => {
  const { db } = await testDatabase(t);
  const { batch, plan, outcome } = await unplanned(db);
  t.is((await closeBatch(db, batch.id, 'cancelled')).status, 'cancelled');
  await plan(db);
  t.deepEqual(await outcome(), { statuses: ['cancelled', 'cancelled'], open: 0 });
  t.deepEqual(await db.selectFrom('requests').selectAll().execute(), []);
});

test('the end of a batch waits for what is being planned, and ends it', async (t) => {
  const { db } = await testDatabase(t);
  const { batch, plan, outcome } = await unplanned(db);
  const ending = await db.transaction().execute(async (planning) => {
    await plan(planning);
    const end = closeBatch(db, batch.id, 'cancelled');
    await untilBlocked(db);
    return { end };
  });
  t.is((await ending.end).status, 'cancelled');
  t.deepEqual(await outcome(), { statuses: ['cancelled', 'cancelled'], open: 0 });
});

test('a batch is not cancelled while it fails with its items', async (t) => {
  const { db } = await testDatabase(t);
  const { batch, plan, outcome } = await unplanned(db);
  await plan(db);
  const meanwhile = await db.transaction().execute(async (working) => {
    // A step that holds an item: the end of the batch has begun and waits for it.
    await working.selectFrom('requests').select('requestId').limit(1).forUpdate().execute();
    const end = closeBatch(db, batch.id, 'failed');
    await untilBlocked(db);
    const cancelled = cancelBatch(db, batch.id);
    return { end, cancelled };
  });
  const { status, failed } = await meanwhile.end;
  t.is(await meanwhile.cancelled, false);
  t.deepEqual([status, failed.count], ['failed', 2]);
  t.deepEqual(await outcome(), { statuses: ['failed', 'failed'], open: 0 });
});
