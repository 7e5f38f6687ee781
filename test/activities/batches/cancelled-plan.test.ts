// A batch that is being cancelled, and whose workflow is not told: Temporal cannot be reached.
import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { planBatch } from '../../../activities/batches/plan-batch.ts';
import type { WorkerMetrics } from '../../../activities/metrics.ts';
import { readItems } from '../../../db/batch-items.ts';
import { cancelBatch } from '../../../db/batches.ts';
import { closeBatch } from '../../../db/close-batch.ts';
import type { BatchPlan } from '../../../workflows/types.ts';
import { testDatabase } from '../../support/database.ts';
import { aStoredBatch } from '../../support/stored-batch.ts';

test('nothing more of it is planned, and it ends as cancelled', async (t) => {
  const { db } = await testDatabase(t);
  const { batch, organizationId } = await aStoredBatch(db, ['a', 'b']);
  await db.deleteFrom('requests').execute();
  const environment = new MockActivityEnvironment();
  const metrics = {} as WorkerMetrics;
  const input = { organizationId, batchId: batch.id, total: 2, next: 0 };
  const plan = () => environment.run(() => planBatch({ db, metrics }, input)) as Promise<BatchPlan>;
  t.true(await cancelBatch(db, batch.id));
  t.like(await plan(), { works: [], next: 2 });
  t.deepEqual(await db.selectFrom('requests').selectAll().execute(), []);
  t.is((await closeBatch(db, batch.id, 'completed')).status, 'cancelled');
  const items = await readItems(db, batch.id, { from: 0, to: 2 });
  t.deepEqual(
    items.map(({ status }) => status),
    ['cancelled', 'cancelled'],
  );
});
