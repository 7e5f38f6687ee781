// A small upload during a long outage of storage: it does not wait within its workflow's task.
import { randomBytes } from 'node:crypto';
import { ApplicationFailure, Context } from '@temporalio/activity';
import test from 'ava';
import {
  largeRecording,
  patientHeartbeats,
  startWorkflowWorkers,
} from '../support/workflow-workers.ts';

const file = 'the bundle of the workflows';
/** The attempts of a minute in a second. */
const faster = [
  { file, from: "initialInterval: '500ms'", to: "initialInterval: '50ms'" },
  { file, from: "maximumInterval: '4s'", to: "maximumInterval: '50ms'" },
];

test('it waits in the queue, where attempts leave no events', async (t) => {
  const taskQueue = `test-${randomBytes(6).toString('hex')}`;
  const attempts = { local: 0, queued: 0 };
  const openRecording = async () => {
    attempts[Context.current().info.isLocal ? 'local' : 'queued'] += 1;
    if (attempts.queued === 30) return { kind: 'completed', resultKey: 'results/1' };
    throw ApplicationFailure.retryable('Storage is away.', 'internal_error');
  };
  const client = await startWorkflowWorkers(t, taskQueue, { openRecording }, [
    ...patientHeartbeats,
    ...faster,
  ]);
  const upload = { ...largeRecording.upload, bytes: 40_000 };
  const item = { ...largeRecording, upload, batch: { id: 'batch_1', position: 0 } };
  const workflowId = `rounds-test/${taskQueue}`;
  const handle = await client.workflow.start('analyzeRecording', {
    ...{ taskQueue, workflowId, args: [item] },
    // A task that is late would run the attempts within it once more.
    workflowTaskTimeout: '10m',
  });
  t.deepEqual(await handle.result(), { resultKey: 'results/1' });
  t.deepEqual(attempts, { local: 20, queued: 30 });
  const { events } = await handle.fetchHistory();
  const scheduled = events!.filter((event) => event.activityTaskScheduledEventAttributes);
  t.is(scheduled.length, 1);
});
