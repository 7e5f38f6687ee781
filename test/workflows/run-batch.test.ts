// The batch workflow alone, on a real server with steps that do nothing: its window, its end, and
// how it continues as a new workflow before its history grows long.
import { randomBytes } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/activity';
import type { WorkflowHandle } from '@temporalio/client';
import test, { type ExecutionContext } from 'ava';
import type { createActivities } from '../../activities/index.ts';
import type { BatchPlan, ClipGroupInput, RunBatchInput } from '../../workflows/types.ts';
import { until } from '../support/until.ts';
import { patientHeartbeats, startWorkflowWorkers } from '../support/workflow-workers.ts';

type Steps = Pick<
  ReturnType<typeof createActivities>,
  'startBatch' | 'planBatch' | 'analyzeClips' | 'finishBatch'
>;

const groupItems = 25;
const plannedGroups = 20;

/** Runs the workflow on queues of its own. */
async function runBatch(t: ExecutionContext, steps: Steps, total: number) {
  const taskQueue = `test-${randomBytes(6).toString('hex')}-bulk`;
  const client = await startWorkflowWorkers(t, taskQueue, steps, patientHeartbeats);
  const input = { organizationId: 'org_1', batchId: 'batch_1', total, next: 0 };
  const workflowId = `batch-test/${taskQueue}`;
  return client.workflow.start('runBatch', { taskQueue, workflowId, args: [input] });
}

const request: BatchPlan['request'] = {
  organizationId: 'org_1',
  attempt: 1,
  task: 'emotion',
  model: 'svc-resonance',
  options: { diarize: false, numSpeakers: null, includeLogits: false },
};

async function planBatch({ next, total }: RunBatchInput): Promise<BatchPlan> {
  const works: ClipGroupInput[] = [];
  let from = next;
  for (; from < total && works.length < plannedGroups; from += groupItems) {
    works.push({ batchId: '', from, to: Math.min(total, from + groupItems) });
  }
  const groups = works.map(({ from: first, to }) => ({ kind: 'clips' as const, from: first, to }));
  return { request, works: groups, next: Math.min(total, from) };
}

test('twenty thousand items are analysed once each, in histories that stay short', async (t) => {
  const seen: ClipGroupInput[] = [];
  const ends: string[] = [];
  const steps: Steps = {
    startBatch: async () => true,
    planBatch,
    analyzeClips: async (input) => {
      seen.push(input);
      return { done: input.to - input.from, long: [] };
    },
    finishBatch: async ({ status }) => {
      ends.push(status);
      return { status, webhook: false };
    },
  };
  const handle = await runBatch(t, steps, 20_000);
  t.is(await handle.result(), 'completed');
  t.deepEqual(
    seen.map(({ from }) => from).toSorted((a, b) => a - b),
    Array.from({ length: 800 }, (_, i) => 25 * i),
  );
  t.deepEqual(ends, ['completed']);
  const last = await handle.client.getHandle(handle.workflowId).describe();
  t.not(last.runId, handle.firstExecutionRunId, 'it went on as a new workflow');
  t.true(last.historyLength < 2_300);
});

test('a batch begins with a few groups, and takes one more with each that ends', async (t) => {
  const asked: (number | undefined)[] = [];
  const open: (() => void)[] = [];
  const steps: Steps = {
    startBatch: async () => true,
    planBatch: async (input) => {
      asked.push(input.works);
      return { ...(await planBatch(input)), firstWindow: 3 };
    },
    analyzeClips: async (input) => {
      await new Promise<void>((end) => open.push(end));
      return { done: input.to - input.from, long: [] };
    },
    finishBatch: async ({ status }) => ({ status, webhook: false }),
  };
  const handle = await runBatch(t, steps, 25 * groupItems);
  const scheduled = async (): Promise<number> => {
    const { events } = await handle.fetchHistory();
    return (events ?? []).filter((event) => event.activityTaskScheduledEventAttributes).length;
  };
  await until(() => open.length === 3);
  t.is(await scheduled(), 3);
  open.shift()!();
  await until(async () => (await scheduled()) === 5);
  await until(() => open.length === 4);
  open.shift()!();
  await until(async () => (await scheduled()) === 7);
  const ends = setInterval(() => open.shift()?.(), 5);
  t.teardown(() => clearInterval(ends));
  t.is(await handle.result(), 'completed');
  t.is(await scheduled(), 25);
  t.is(asked[0], undefined, 'the first plan knows how much to begin with');
  t.true(asked.slice(1).every((works) => works !== undefined && works > 3));
});

test('a group that fails permanently does not block the others', async (t) => {
  let done = 0;
  const steps: Steps = {
    startBatch: async () => true,
    planBatch,
    analyzeClips: async ({ from, to }) => {
      if (from === 25) throw ApplicationFailure.nonRetryable('no', 'internal_error');
      done += to - from;
      return { done: to - from, long: [] };
    },
    finishBatch: async ({ status }) => ({ status, webhook: false }),
  };
  const handle = await runBatch(t, steps, 100);
  t.is(await handle.result(), 'completed');
  t.is(done, 75);
});

/** The workflow has run since its cancellation arrived. */
async function hasNoticed(handle: WorkflowHandle): Promise<boolean> {
  const { events } = await handle.fetchHistory();
  const all = events ?? [];
  const asked = all.findIndex((event) => event.workflowExecutionCancelRequestedEventAttributes);
  return asked >= 0 && all.slice(asked).some((event) => event.workflowTaskCompletedEventAttributes);
}

test('a cancelled batch waits for running groups, and ends once', async (t) => {
  const noticed = Promise.withResolvers<void>();
  let running = 0;
  let after = 0;
  let ended = false;
  const steps: Steps = {
    startBatch: async () => true,
    planBatch,
    analyzeClips: async () => {
      running += 1;
      await noticed.promise;
      running -= 1;
      if (ended) after += 1;
      return { done: 25, long: [] };
    },
    finishBatch: async ({ status }) => {
      ended = true;
      t.is(running, 0);
      return { status, webhook: false };
    },
  };
  const handle = await runBatch(t, steps, 100_000);
  await until(() => running > 0);
  await handle.cancel();
  await until(() => hasNoticed(handle));
  noticed.resolve();
  await handle.result();
  t.true(ended);
  t.is(after, 0);
});
