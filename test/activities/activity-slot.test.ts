// Where an activity waits for a slot, and when a message is sent again.
import { ApplicationFailure } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { runActivity } from '../../activities/run-activity.ts';
import { withFairSlot } from '../../activities/activity-slot.ts';
import { nextDelayMs, postWebhook } from '../../activities/batches/post-webhook.ts';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { createFairSemaphore } from '../../models/fairness/fair-semaphore.ts';
import { fakeClock } from '../support/fake-clock.ts';

const inQueue = (): MockActivityEnvironment => new MockActivityEnvironment();
const inWorkflowTask = (): MockActivityEnvironment =>
  new MockActivityEnvironment({ isLocal: true });

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

test.serial('within a workflow task an activity waits for its slot for a minute', async (t) => {
  const tick = fakeClock(t);
  const line = createFairSemaphore(1);
  const leave = await line.acquire('a');
  const ends: string[] = [];
  const wait = (environment: MockActivityEnvironment, name: string): Promise<unknown> =>
    environment
      .run(() => runActivity((run) => withFairSlot(line, 'a', { run, body: async () => name })))
      .then(() => ends.push(name));
  const waiting = wait(inWorkflowTask(), 'local');
  const limited = wait(inQueue(), 'of the queue');
  tick(59_000);
  t.is((await t.throwsAsync<ApplicationFailure>(limited))?.type, 'no_place');
  t.deepEqual(ends, []);
  // Its time runs while it waits: who got a slot at the end of it would be cut off.
  const late = wait(inWorkflowTask(), 'late');
  tick(1_000);
  t.is((await t.throwsAsync<ApplicationFailure>(waiting))?.type, 'no_place');
  leave();
  await late;
  t.deepEqual(ends, ['late']);
});

test('a message is retried when its age has doubled, after between 5 s and 6 h', (t) => {
  const ages = [0, 4_000, 60_000, 20_000_000, 200_000_000];
  t.deepEqual(ages.map(nextDelayMs), [5_000, 5_000, 60_000, 20_000_000, 21_600_000]);
});

test('the age of a message is told by one clock', async (t) => {
  const scheduledTimestampMs = Date.now() - 3_600_000;
  const dependencies = {
    ...{
      db: {},
      secretBox: null,
      senders: createFairSemaphore(1),
      sendWebhook: async () => ({ status: 500 }),
    },
    metrics: { webhook: () => {} },
  } as unknown as ActivityDependencies;
  const delayOf = async (attemptAfterMs: number): Promise<unknown> => {
    const currentAttemptScheduledTimestampMs = scheduledTimestampMs + attemptAfterMs;
    const info = { scheduledTimestampMs, currentAttemptScheduledTimestampMs };
    const post = () => postWebhook(dependencies, { organizationId: 'a', batchId: 'b' } as never);
    const failure = new MockActivityEnvironment(info).run(post);
    return (await t.throwsAsync(failure as Promise<unknown>, { instanceOf: ApplicationFailure }))
      .nextRetryDelay;
  };
  // This machine's clock is an hour ahead of Temporal's.
  t.is(await delayOf(0), 5_000);
  t.true(Number(await delayOf(60_000)) < 70_000);
});
