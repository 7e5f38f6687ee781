// A pass of the sweeper whose worker is lost holds up the next one no longer than other work.
import { randomUUID } from 'node:crypto';
import test from 'ava';
import { startWorkflowWorkers } from '../support/workflow-workers.ts';

test('a sweep that sends no heartbeats is given up', async (t) => {
  const taskQueue = `test-${randomUUID()}`;
  const client = await startWorkflowWorkers(t, taskQueue, { sweep: async () => {} });
  const workflow = await client.workflow.start('sweepLeftovers', {
    ...{ taskQueue, workflowId: `sweep-${randomUUID()}` },
  });
  await workflow.result();
  const { events } = await workflow.fetchHistory();
  const scheduled = events?.find((event) => event.activityTaskScheduledEventAttributes);
  const { heartbeatTimeout } = scheduled!.activityTaskScheduledEventAttributes!;
  t.is(Number(heartbeatTimeout?.seconds), 10);
});
