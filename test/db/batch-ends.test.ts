// How batches end: nothing stays reserved, and an end is final.
import test from 'ava';
import { sql } from 'kysely';
import { balanceOf } from '../../db/balance.ts';
import { endOpenItems, readItems } from '../../db/batch-items.ts';
import { cancelBatch } from '../../db/batches.ts';
import { closeBatch } from '../../db/close-batch.ts';
import { writeEntry } from '../../db/ledger.ts';
import { testDatabase } from '../support/database.ts';
import { aStoredBatch } from '../support/stored-batch.ts';
import { until } from '../support/until.ts';

const internal = { code: 'internal_error', message: 'It is broken.' };

test('what an item reserves while its batch ends is released', async (t) => {
  const { db } = await testDatabase(t);
  const { batch, refs, organizationId } = await aStoredBatch(db, ['a', 'b']);
  const ref = refs[1]!;
  let ending = Promise.resolve(0);
  await db.transaction().execute(async (reserving) => {
    // The two statements of `reserve`; between them the batch ends on another connection.
    await reserving
      .updateTable('requests')
      .set({ state: 'running' })
      .where('requestId', '=', ref.requestId)
      .execute();
    ending = endOpenItems(db, batch.id, { state: 'failed', ...internal });
    // Of another connection: a transaction reads the activity once.
    await until(async () => {
      const { rows } = await sql`SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
      return rows.length === 1;
    });
    await writeEntry(reserving, { ...ref, kind: 'reserve', seconds: 30, microUsd: 4_000 });
  });
  t.is(await ending, 2);
  t.is((await balanceOf(db, organizationId)).usedSeconds, 0);
  const entries = await db
    .selectFrom('ledger')
    .select(['requestId', 'kind'])
    .orderBy('id')
    .execute();
  t.deepEqual(
    entries,
    ['reserve', 'release'].map((kind) => ({ requestId: ref.requestId, kind }) as never),
  );
  const items = await readItems(db, batch.id, { from: 0, to: 2 });
  t.deepEqual(
    items.map(({ status, error }) => [status, error?.code]),
    [0, 1].map(() => ['failed', 'internal_error']),
  );
});

test('a batch that has ended stays as it is when it is closed again', async (t) => {
  const { db } = await testDatabase(t);
  const { batch } = await aStoredBatch(db, ['a', 'b']);
  await cancelBatch(db, batch.id);
  t.is((await closeBatch(db, batch.id, 'cancelled')).status, 'cancelled');
  const before = await readItems(db, batch.id, { from: 0, to: 2 });
  const again = await closeBatch(db, batch.id, 'failed');
  t.is(again.status, 'cancelled');
  t.is(again.failed.count, 0);
  t.deepEqual(await readItems(db, batch.id, { from: 0, to: 2 }), before);
});

test('of the named items only those that are open end', async (t) => {
  const { db } = await testDatabase(t);
  const { batch } = await aStoredBatch(db, ['a', 'b', 'c']);
  const end = { state: 'failed', ...internal } as const;
  t.is(await endOpenItems(db, batch.id, { ...end, positions: [1] }), 1);
  t.is(await endOpenItems(db, batch.id, { ...end, positions: [1, 2] }), 1);
  t.is(await endOpenItems(db, batch.id, { ...end, positions: [] }), 0);
  const items = await readItems(db, batch.id, { from: 0, to: 3 });
  t.deepEqual(
    items.map(({ status }) => status),
    ['queued', 'failed', 'failed'],
  );
});
