// A batch that another request deletes while it is being deleted, cancelled or read.
import { text } from 'node:stream/consumers';
import test from 'ava';
import { exportedBatch } from '../../../api/batches/export-results.ts';
import { itemSteps } from '../../../api/batches/lists.ts';
import { endedItems, resultLines } from '../../../api/batches/result-lines.ts';
import { closeBatch } from '../../../db/close-batch.ts';
import { batchById } from '../../../db/batches.ts';
import { call } from '../../support/batches.ts';
import { untilBlocked } from '../../support/blocked.ts';
import { testDatabase } from '../../support/database.ts';
import { testStack, type TestStack } from '../../support/stack.ts';
import { aStoredBatch } from '../../support/stored-batch.ts';

type Batch = Awaited<ReturnType<typeof aStoredBatch>>;

/** The answer of a request whose batch is deleted while it waits for the batch's row. */
async function answerMeanwhile(
  stack: TestStack,
  { batch, account }: Batch,
  { method, action = '' }: { readonly method: string; readonly action?: string },
): Promise<string> {
  const { db } = stack;
  const { answer } = await db.transaction().execute(async (deleting) => {
    await deleting.deleteFrom('batches').where('id', '=', batch.id).execute();
    const sent = call({ ...stack, account }, `/v1/batches/${batch.id}${action}`, { method });
    await untilBlocked(db);
    return { answer: sent };
  });
  const { status, body } = await answer;
  return `${status} ${body.error?.code ?? body.deleted}`;
}

test('it is deleted for both, and gone for who cancels it', async (t) => {
  const stack = await testStack(t, { worker: false });
  const ended = await aStoredBatch(stack.db, ['call']);
  await closeBatch(stack.db, ended.batch.id, 'completed');
  t.is(await answerMeanwhile(stack, ended, { method: 'DELETE' }), '200 true');
  const open = await aStoredBatch(stack.db, ['call']);
  const cancelled = { method: 'POST', action: '/cancel' } as const;
  t.is(await answerMeanwhile(stack, open, cancelled), '404 not_found');
});

test('what is read of it meanwhile breaks off, and does not end as if it were all', async (t) => {
  const { db } = await testDatabase(t);
  const customIds = Array.from({ length: 120 }, (_, i) => `call-${i}`);
  const { batch: open } = await aStoredBatch(db, customIds);
  await closeBatch(db, open.id, 'failed');
  const batch = (await batchById(db, open.id))!;
  const stores = { db } as Parameters<typeof resultLines>[0];
  const complete = await text(await resultLines(stores, batch));
  t.is(complete.trimEnd().split('\n').length, 120);
  const items = endedItems(stores, batch);
  const steps = itemSteps(db, batch.id, { from: 0, to: batch.total, limit: 100 });
  t.like((await items.next()).value, { position: 0 });
  t.like((await steps.next()).value, { more: true });
  await db.deleteFrom('batches').where('id', '=', batch.id).execute();
  const gone = { name: 'ServiceError', message: /was deleted/ };
  await t.throwsAsync(Array.fromAsync(items), gone);
  await t.throwsAsync(Array.fromAsync(steps), gone);
  await t.throwsAsync(resultLines(stores, batch), gone);
  await t.throwsAsync(exportedBatch(stores, batch, 'txt'), gone);
});
