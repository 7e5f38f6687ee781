// A batch that was cancelled is cancelled again: nothing happens, however long ago that was.
import { WorkflowNotFoundError } from '@temporalio/client';
import test from 'ava';
import { closeBatch } from '../../../db/close-batch.ts';
import { webhookWorkflowId } from '../../../workflows/ids.ts';
import { call } from '../../support/batches.ts';
import { testStack } from '../../support/stack.ts';
import { aStoredBatch } from '../../support/stored-batch.ts';

test('its webhook is not sent again after Temporal has forgotten it', async (t) => {
  const stack = await testStack(t, { worker: false });
  const { db, client } = stack;
  // Temporal knows as little of it as of one that ended a week ago.
  const { batch, account } = await aStoredBatch(db, ['call']);
  const { organizationId } = batch;
  await db
    .updateTable('batches')
    .set({ webhookUrl: 'http://127.0.0.1:9/' })
    .where('id', '=', batch.id)
    .execute();
  await closeBatch(db, batch.id, 'cancelled');
  const path = `/v1/batches/${batch.id}/cancel`;
  const { status, body } = await call({ ...stack, account }, path, { method: 'POST' });
  t.is(`${status} ${body.status}`, '200 cancelled');
  const delivery = client.workflow.getHandle(webhookWorkflowId(organizationId, batch.id));
  await t.throwsAsync(delivery.describe(), { instanceOf: WorkflowNotFoundError });
});
