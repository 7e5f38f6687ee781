// An operator resets a batch that runs: what the earlier run has started is not lost.
import { randomBytes, randomUUID } from 'node:crypto';
import test from 'ava';
import type { Activities } from '../../workflows/activities.ts';
import type { BatchPlan } from '../../workflows/types.ts';
import { until } from '../support/until.ts';
import {
  largeRecording,
  patientHeartbeats,
  startWorkflowWorkers,
} from '../support/workflow-workers.ts';

test('a recording in progress is waited for, and is not analysed by two at once', async (t) => {
  const taskQueue = `test-${randomBytes(6).toString('hex')}-bulk`;
  const { upload, ...request } = largeRecording;
  const workflowId = `item/${taskQueue}`;
  const item = { kind: 'recording', position: 0, upload, workflowId, requestId: 'r' } as const;
  const seen: string[] = [];
  const analysis = Promise.withResolvers<void>();
  const steps: Partial<Activities> = {
    startBatch: async () => true,
    planBatch: async () => {
      seen.push('plan');
      return { request, works: [item], next: 1 } as unknown as BatchPlan;
    },
    openRecording: async () => {
      seen.push('open');
      await analysis.promise;
      return { kind: 'completed', resultKey: 'results/1' };
    },
    finishBatch: async ({ status }) => {
      seen.push('finish');
      return { status, webhook: false };
    },
  };
  const client = await startWorkflowWorkers(t, taskQueue, steps, patientHeartbeats);
  // Workers wait for it.
  t.teardown(() => analysis.resolve());
  const input = { organizationId: 'org_1', batchId: 'batch_1', total: 1, next: 0 };
  const handle = await client.workflow.start('runBatch', {
    ...{ taskQueue, workflowId: `batch-test/${taskQueue}`, args: [input] },
  });
  await until(() => seen.length === 2);
  const { events } = await handle.fetchHistory();
  const first = (events ?? []).find((event) => event.workflowTaskCompletedEventAttributes);
  await client.workflowService.resetWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId: handle.workflowId },
    workflowTaskFinishEventId: first!.eventId!,
    requestId: randomUUID(),
    reason: 'an operator asked for it',
  });
  const last = client.workflow.getHandle(handle.workflowId);
  const isRefused = async (): Promise<boolean> => {
    const history = await last.fetchHistory();
    return (history.events ?? []).some(
      (event) => event.startChildWorkflowExecutionFailedEventAttributes,
    );
  };
  await until(isRefused);
  t.deepEqual(seen, ['plan', 'open', 'plan']);
  analysis.resolve();
  t.is(await last.result(), 'completed');
  t.deepEqual(seen, ['plan', 'open', 'plan', 'open', 'finish']);
  const { status } = await client.workflow.getHandle(workflowId).describe();
  t.is(status.name, 'COMPLETED');
});
