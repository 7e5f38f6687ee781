// What an activity ends with when a part of the service is away: another try, or an end that its
// caller is told.
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { runActivity, type RunOptions } from '../../activities/run-activity.ts';

async function failureOf(
  error: Error,
  { waitedMs, ...options }: RunOptions & { readonly waitedMs: number },
): Promise<ApplicationFailure> {
  const environment = new MockActivityEnvironment({
    scheduledTimestampMs: 1_000,
    currentAttemptScheduledTimestampMs: 1_000 + waitedMs,
  });
  const body = (): Promise<never> => Promise.reject(error);
  try {
    await environment.run(() => runActivity(body, options));
  } catch (failure) {
    if (failure instanceof ApplicationFailure) return failure;
  }
  throw new Error('it ended otherwise');
}

const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
const full = Object.assign(new Error('write'), { code: 'ENOSPC' });
const patienceMs = 20_000;

test('an outage is tried again while the caller has patience, and then told', async (t) => {
  t.false((await failureOf(refused, { patienceMs, waitedMs: 500 })).nonRetryable);
  const told = await failureOf(refused, { patienceMs, waitedMs: 21_000 });
  t.like(told, { type: 'not_ready', nonRetryable: true });
});

test('a full disk is told at once', async (t) => {
  t.like(await failureOf(full, { patienceMs, waitedMs: 0 }), {
    type: 'not_ready',
    nonRetryable: true,
  });
});

test('where nobody waits, an outage is tried again for as long as it lasts', async (t) => {
  for (const error of [refused, full]) {
    t.false((await failureOf(error, { waitedMs: 3_600_000 })).nonRetryable);
  }
});
