// Waiting for a workflow: an ended wait leaves no call open.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CancelledFailure,
  Client,
  WorkflowFailedError,
  type WorkflowHandle,
} from '@temporalio/client';
import test from 'ava';
import { createWorkflowRuns } from '../../../api/runs/workflow-runs.ts';
import { idHash } from '../../../db/object-keys.ts';
import { requestWorkflowId } from '../../../workflows/ids.ts';
import type { AnalyzeRecordingInput } from '../../../workflows/types.ts';
import { connectPatiently, withoutDeadlines } from '../../support/patience.ts';
import { until } from '../../support/until.ts';

const input: AnalyzeRecordingInput = {
  organizationId: 'org_waiting',
  requestId: randomUUID(),
  attempt: 1,
  task: 'transcription',
  model: 'svc-resonance',
  options: { diarize: false, numSpeakers: null, includeLogits: false },
  upload: { key: 'uploads/none', container: 'wav', bytes: 1 },
};

test('after the last waiter of a workflow has left, no call for it is in progress', async (t) => {
  const connection = withoutDeadlines(await connectPatiently());
  const client = new Client({ connection });
  // No worker polls this queue, so the workflow does not end.
  const runs = createWorkflowRuns(client, `no-worker-${randomUUID()}`);
  const handle = await runs.start(input, 'reject');
  t.teardown(async () => {
    await handle.terminate();
    await connection.close();
  });
  // The call has to be in progress when it is cancelled.
  const sent = Promise.withResolvers<void>();
  const service = connection.workflowService;
  const ask = service.getWorkflowExecutionHistory;
  Object.assign(service, {
    getWorkflowExecutionHistory: (...args: Parameters<typeof ask>) => {
      const answer = ask.apply(service, args);
      sent.resolve();
      return answer;
    },
  });
  let call: Promise<unknown> = Promise.resolve();
  const watched = { ...handle, result: () => (call = handle.result()) };
  const answered = new AbortController();
  const waiting = runs.result(watched, answered.signal);
  await sent.promise;
  answered.abort();
  await t.throwsAsync(waiting, { name: 'ServiceError', message: /deadline/ });
  // A call that is left open would be retried on the closed connection, and end the process.
  let over = false;
  const end = (): void => void (over = true);
  void call.then(end, end);
  t.true(await until(() => over));
});

test('a wait that ends between two calls is over, although the second call goes on', async (t) => {
  const client = { withAbortSignal: (_: unknown, work: () => unknown) => work() };
  const runs = createWorkflowRuns(client as unknown as Client, 'queue');
  const answered = new AbortController();
  let calls = 0;
  const result = async (): Promise<never> => {
    calls += 1;
    answered.abort();
    return new Promise(() => {});
  };
  const waiting = runs.result({ result } as unknown as WorkflowHandle, answered.signal);
  const late = sleep(5_000, 'it still waits', { ref: false });
  const error = await Promise.race([waiting.catch((reason: unknown) => reason), late]);
  t.like(error, { name: 'ServiceError', code: 'timeout' });
  t.is(calls, 1);
});

test('a wait for a workflow that was deleted between two calls is over', async (t) => {
  const connection = withoutDeadlines(await connectPatiently());
  t.teardown(() => connection.close());
  const client = new Client({ connection });
  const runs = createWorkflowRuns(client, `no-worker-${randomUUID()}`);
  const handle = await runs.start({ ...input, requestId: randomUUID() }, 'reject');
  const { workflowId } = handle;
  const deleted = { namespace: 'default', workflowExecution: { workflowId } };
  await client.workflowService.deleteWorkflowExecution(deleted);
  const name = (): Promise<string> =>
    handle.describe().then(
      () => '',
      (error: Error) => error.name,
    );
  await until(name, (is) => is === 'WorkflowNotFoundError');
  const asksAgain = new AbortController();
  let calls = 0;
  const result = (): Promise<unknown> => {
    calls += 1;
    if (calls > 1) asksAgain.abort();
    return handle.result();
  };
  const error = await t.throwsAsync(runs.result({ ...handle, result }, asksAgain.signal));
  t.like(error, { code: 'internal_error', name: 'ServiceError' });
  t.regex(error.message, /was terminated/);
});

test('who waits for a workflow that is cancelled is told so', async (t) => {
  const client = { withAbortSignal: (_: unknown, work: () => unknown) => work() };
  const runs = createWorkflowRuns(client as unknown as Client, 'queue');
  const end = new WorkflowFailedError(
    '',
    new CancelledFailure('cancelled'),
    'NON_RETRYABLE_FAILURE',
  );
  const handle = { result: () => Promise.reject(end) } as unknown as WorkflowHandle;
  await t.throwsAsync(runs.result(handle, new AbortController().signal), {
    message: 'The analysis was cancelled before it finished; send the request again.',
  });
});

test('a start whose answer was lost finds its run, even one that has ended', async (t) => {
  const connection = withoutDeadlines(await connectPatiently());
  t.teardown(() => connection.close());
  const client = new Client({ connection });
  const deaf = new Client({ connection });
  // The request arrives, and an error of the network comes back.
  Object.assign(deaf.workflow, {
    start: async (...args: Parameters<typeof client.workflow.start>) => {
      const handle = await client.workflow.start(...args);
      await handle.terminate();
      throw new Error('the connection was lost');
    },
  });
  const lost = { ...input, requestId: randomUUID() };
  const runs = createWorkflowRuns(deaf, `no-worker-${randomUUID()}`);
  const handle = await runs.start(lost, 'reject');
  const { status, memo } = await handle.describe();
  t.deepEqual([status.name, memo?.attempt], ['TERMINATED', 1]);
});

test('an id that a 402 left unused waits for its earlier workflow to close', async (t) => {
  const connection = withoutDeadlines(await connectPatiently());
  t.teardown(() => connection.close());
  const client = new Client({ connection });
  const taskQueue = `no-worker-${randomUUID()}`;
  // As the version before started it, and as this one does.
  for (const memo of [{ attempt: 1 }, { attempt: 1, uploadKey: 'uploads/earlier' }]) {
    const again = { ...input, requestId: randomUUID() };
    const workflowId = requestWorkflowId(again.organizationId, idHash(again.requestId));
    const earlier = await client.workflow.start('analyzeRecording', {
      ...{ workflowId, taskQueue, memo, args: [] },
    });
    const refused = Promise.withResolvers<void>();
    const watched = new Client({ connection });
    const start = async (...args: Parameters<typeof client.workflow.start>) => {
      try {
        return await client.workflow.start(...args);
      } finally {
        refused.resolve();
      }
    };
    Object.assign(watched.workflow, { start });
    const starting = createWorkflowRuns(watched, taskQueue).start(again, 'reject');
    await refused.promise;
    await earlier.terminate();
    const handle = await starting;
    const found = await handle.describe();
    t.not(found.runId, earlier.firstExecutionRunId);
    t.deepEqual(found.memo, { attempt: 1, uploadKey: input.upload.key });
    await handle.terminate();
  }
});
