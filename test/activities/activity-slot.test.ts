// Where an activity waits for a slot, and when a message is sent again.
import { ApplicationFailure } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { runActivity } from '../../activities/run-activity.ts';
import { withFairSlot } from '../../activities/activity-slot.ts';
import { nextDelayMs } from '../../activities/batches/post-webhook.ts';
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

test.serial('within a workflow task an activity waits for its slot without a limit', async (t) => {
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
  tick(3_600_000);
  t.is((await t.throwsAsync<ApplicationFailure>(limited))?.type, 'no_place');
  t.deepEqual(ends, []);
  leave();
  await waiting;
  t.deepEqual(ends, ['local']);
});

test('a message is retried when its age has doubled, after between 5 s and 6 h', (t) => {
  const ages = [0, 4_000, 60_000, 20_000_000, 200_000_000];
  t.deepEqual(ages.map(nextDelayMs), [5_000, 5_000, 60_000, 20_000_000, 21_600_000]);
});
