// The webhook of a batch that was cancelled before its workflow started, which then starts.
import { randomBytes } from 'node:crypto';
import test from 'ava';
import { webhookWorkflowId } from '../../workflows/ids.ts';
import { startWorkflowWorkers } from '../support/workflow-workers.ts';

test('its batch ends as cancelled while the API has it delivered', async (t) => {
  const name = randomBytes(6).toString('hex');
  const [taskQueue, batchId, organizationId] = [`test-${name}-bulk`, `batch_${name}`, 'org_1'];
  const client = await startWorkflowWorkers(t, taskQueue, {
    startBatch: async () => false,
    finishBatch: async () => ({ status: 'cancelled', webhook: true }),
  });
  // Nobody works for this queue, so that the delivery takes as long as the test.
  const delivery = await client.workflow.start('deliverWebhook', {
    workflowId: webhookWorkflowId(organizationId, batchId),
    taskQueue: `nobody-${name}`,
    args: [{ organizationId, batchId }],
  });
  t.teardown(() => delivery.terminate());
  const args = [{ organizationId, batchId, total: 1, next: 0 }];
  const workflowId = `batch-test/${taskQueue}`;
  t.is(await client.workflow.execute('runBatch', { taskQueue, workflowId, args }), 'cancelled');
});
