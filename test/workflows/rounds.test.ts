// Steps whose time is over, on a real server that is told that it is: an item of a batch, what a
// caller sent and a webhook begin again, and no other failure does.
import { randomBytes } from 'node:crypto';
import { ApplicationFailure, Context } from '@temporalio/activity';
import { ActivityFailure, TimeoutFailure, type WorkflowClient } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import test, { type ExecutionContext } from 'ava';
import type { createActivities } from '../../activities/index.ts';
import type { AnalyzeRecordingInput } from '../../workflows/types.ts';
import { isOutOfTime } from '../../workflows/rounds.ts';
import { until } from '../support/until.ts';
import { largeRecording as recording, startWorkflowWorkers } from '../support/workflow-workers.ts';

type Activities = ReturnType<typeof createActivities>;
type Steps = Pick<Activities, 'openRecording' | 'failRecording'>;

const batch = { id: 'batch_1', position: 0 };

async function start(t: ExecutionContext, steps: Steps, input: AnalyzeRecordingInput) {
  const taskQueue = `test-${randomBytes(6).toString('hex')}`;
  const client = await startWorkflowWorkers(t, taskQueue, steps);
  const workflowId = `rounds-test/${taskQueue}`;
  return client.workflow.start('analyzeRecording', { taskQueue, workflowId, args: [input] });
}

/** What an operator can do, and what hours without a worker do. */
async function endTime(client: WorkflowClient, workflowId: string, type: string): Promise<void> {
  const soon = msToTs(1_000);
  await client.workflowService.updateActivityOptions({
    namespace: 'default',
    execution: { workflowId },
    type,
    activityOptions: { heartbeatTimeout: soon, scheduleToCloseTimeout: soon },
    updateMask: { paths: ['heartbeatTimeout', 'scheduleToCloseTimeout'] },
  });
}

/** A first step that never answers, and a second one that does. */
function silentOnce() {
  let calls = 0;
  const failures: string[] = [];
  const steps: Steps = {
    openRecording: async () => {
      calls += 1;
      if (calls === 1) await Context.current().cancelled.catch(() => {});
      return { kind: 'completed', resultKey: `after ${calls}` } as never;
    },
    failRecording: async ({ code }) => {
      failures.push(code);
      return { isCallersFault: false, isAudiosFault: false };
    },
  };
  return { steps, failures, calls: () => calls };
}

for (const [whose, input] of [
  ['an item of a batch', { ...recording, batch }],
  ['a recording of a caller', recording],
] as const) {
  test(`${whose} begins its step again when the time of the first was over`, async (t) => {
    const { steps, failures, calls } = silentOnce();
    const handle = await start(t, steps, input as AnalyzeRecordingInput);
    await until(() => calls() === 1);
    await endTime(handle.client, handle.workflowId, 'openRecording');
    t.deepEqual(await handle.result(), { resultKey: 'after 2' });
    t.deepEqual(failures, []);
  });
}

test('a webhook is sent again when its time was over before its receiver was tried', async (t) => {
  const taskQueue = `test-${randomBytes(6).toString('hex')}`;
  let calls = 0;
  const postWebhook = async (): Promise<number> => {
    calls += 1;
    if (calls === 1) await Context.current().cancelled.catch(() => {});
    return 204;
  };
  const client = await startWorkflowWorkers(t, taskQueue, { postWebhook });
  const handle = await client.workflow.start('deliverWebhook', {
    taskQueue,
    workflowId: `rounds-test/${taskQueue}`,
    args: [{ organizationId: 'org_1', batchId: batch.id }],
  });
  await until(() => calls === 1);
  await endTime(handle.client, handle.workflowId, 'postWebhook');
  await t.notThrowsAsync(handle.result());
  t.is(calls, 2);
});

test('a step that was rejected is not begun again', async (t) => {
  let calls = 0;
  const { steps, failures } = silentOnce();
  const openRecording: Steps['openRecording'] = async () => {
    calls += 1;
    throw ApplicationFailure.nonRetryable('It is too long.', 'audio_too_long');
  };
  const handle = await start(t, { ...steps, openRecording }, { ...recording, batch } as never);
  await t.throwsAsync(handle.result());
  t.deepEqual([calls, failures], [1, ['audio_too_long']]);
});

test('storage that failed until the time was over counts as time', (t) => {
  const failed = ApplicationFailure.create({ type: 'internal_error' });
  const because = (state: 'TIMEOUT' | 'NON_RETRYABLE_FAILURE', cause: Error): ActivityFailure =>
    new ActivityFailure('failed', 'openRecording', '1', state, undefined, cause);
  t.true(isOutOfTime(because('TIMEOUT', failed)));
  t.true(isOutOfTime(because('TIMEOUT', new TimeoutFailure('late', null, 'HEARTBEAT'))));
  t.false(isOutOfTime(because('NON_RETRYABLE_FAILURE', failed)));
  t.false(isOutOfTime(failed));
});
