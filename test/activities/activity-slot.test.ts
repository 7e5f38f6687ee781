// Which activities heartbeat, and where an activity waits for a slot.
import { setTimeout as sleep } from 'node:timers/promises';
import { ApplicationFailure } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { runActivity } from '../../activities/run-activity.ts';
import { withFairSlot } from '../../activities/activity-slot.ts';
import { nextDelayMs } from '../../activities/batches/post-webhook.ts';
import { createFairSemaphore } from '../../models/fairness/fair-semaphore.ts';

const inQueue = (): MockActivityEnvironment => new MockActivityEnvironment();
const inWorkflowTask = (): MockActivityEnvironment =>
  new MockActivityEnvironment({ isLocal: true });

test('an activity of a task queue heartbeats its progress', async (t) => {
  const environment = inQueue();
  const beaten = new Promise((resolve) => environment.once('heartbeat', resolve));
  await environment.run(() =>
    runActivity(async (run) => {
      run.report({ chunk: 3 });
      t.deepEqual(await beaten, { chunk: 3 });
    }),
  );
});

test('a local activity never heartbeats, because the server would reject it', async (t) => {
  const environment = inWorkflowTask();
  environment.on('heartbeat', () => t.fail());
  await environment.run(() => runActivity(() => sleep(1_200)));
  t.pass();
});

test('an activity without a slot retries soon; another organization gets one', async (t) => {
  const line = createFairSemaphore(1);
  await line.acquire('hoarder');
  const share = (environment: MockActivityEnvironment, organizationId: string) =>
    environment.run(() =>
      runActivity((run) => withFairSlot(line, organizationId, { run, body: async () => 'done' })),
    );
  t.is(await share(inQueue(), 'stranger'), 'done');
  const failure = await t.throwsAsync(share(inQueue(), 'hoarder'), {
    instanceOf: ApplicationFailure,
  });
  t.is(failure?.type, 'no_place');
  t.false(failure?.nonRetryable);
  t.truthy(failure?.nextRetryDelay);
});

test('within a workflow task an activity waits for its slot without a limit', async (t) => {
  const line = createFairSemaphore(1);
  const leave = await line.acquire('a');
  let done = false;
  const waiting = inWorkflowTask()
    .run(() =>
      runActivity((run) => withFairSlot(line, 'a', { run, body: () => Promise.resolve() })),
    )
    .then(() => (done = true));
  await sleep(1_200);
  t.false(done);
  leave();
  await waiting;
  t.true(done);
});

test('a message is retried when its age has doubled, after between 5 s and 6 h', (t) => {
  const ages = [0, 4_000, 60_000, 20_000_000, 200_000_000];
  t.deepEqual(ages.map(nextDelayMs), [5_000, 5_000, 60_000, 20_000_000, 21_600_000]);
});
