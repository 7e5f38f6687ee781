// Batches by their time: what callers are shown of it separates a batch from later ones.
import test from 'ava';
import { sql } from 'kysely';
import { listKeyedBatches } from '../../db/keyed-batches.ts';
import { testDatabase } from '../support/database.ts';
import { aStoredBatch } from '../support/stored-batch.ts';

test('a batch is neither before nor after the millisecond in which it was created', async (t) => {
  const { db } = await testDatabase(t);
  const { batch, organizationId } = await aStoredBatch(db, ['call']);
  await sql`UPDATE batches SET idempotency_key = 'hume 1',
    created_at = '2026-11-29 10:00:00.123456Z'`.execute(db);
  const found = async (isBefore: boolean, shownMs: number) => {
    const batches = await listKeyedBatches(db, organizationId, {
      ...{ keyPrefix: 'hume ', limit: 10, phases: [], sortBy: 'createdAt', direction: 'asc' },
      created: { isBefore, at: new Date(shownMs) },
    });
    return batches.map(({ id }) => id);
  };
  const shownMs = Date.parse('2026-11-29T10:00:00.123Z');
  t.deepEqual(await found(false, shownMs), []);
  t.deepEqual(await found(true, shownMs), []);
  t.deepEqual(await found(false, shownMs - 1), [batch.id]);
  t.deepEqual(await found(true, shownMs + 1), [batch.id]);
});
