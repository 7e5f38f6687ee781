// A batch that another request deletes while it is being deleted or cancelled.
import test from 'ava';
import { closeBatch } from '../../../db/close-batch.ts';
import { call } from '../../support/batches.ts';
import { untilBlocked } from '../../support/blocked.ts';
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
