// The frame of every activity: heartbeats, cancellation, and how it ends while a dependency is
// down: with a retry, or with an error for its caller.
import { mock } from 'node:test';
import { ApplicationFailure, CancelledFailure, type Logger } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { retryLater } from '../../activities/failures.ts';
import { runActivity, type RunOptions } from '../../activities/run-activity.ts';
import { AcquireTimeout } from '../../models/fairness/fair-semaphore.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { settled } from '../support/scripted-pool.ts';

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

const unreachable = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
const full = Object.assign(new Error('write'), { code: 'ENOSPC' });
const outageLimitMs = 20_000;

test('an outage is retried until the caller’s deadline, and then reported', async (t) => {
  t.false((await failureOf(unreachable, { outageLimitMs, waitedMs: 500 })).nonRetryable);
  const reported = await failureOf(unreachable, { outageLimitMs, waitedMs: 21_000 });
  t.like(reported, { type: 'not_ready', nonRetryable: true });
});

test('a full disk is reported at once', async (t) => {
  t.like(await failureOf(full, { outageLimitMs, waitedMs: 0 }), {
    type: 'not_ready',
    nonRetryable: true,
  });
});

test('without a caller an outage is retried for as long as it lasts', async (t) => {
  for (const error of [unreachable, full]) {
    t.false((await failureOf(error, { waitedMs: 3_600_000 })).nonRetryable);
  }
});

test('what is limited and can wait is tried when the limit allows it, not before', async (t) => {
  const limited = new ServiceError('rate_limited', 'later', { retryAfterSeconds: 540 });
  const failure = await failureOf(retryLater(limited) as Error, { waitedMs: 0 });
  t.like(failure, { type: 'rate_limited', nextRetryDelay: '540s' });
  t.false(failure.nonRetryable);
});

/** A logger that records the levels of the alarms; Temporal writes lines of its own as well. */
function alarms(): { readonly logger: Logger; readonly logged: readonly string[] } {
  const logged: string[] = [];
  const keep = (level: string, message: string): void => {
    if (/^activity (?:failed|timed out)$/.test(message)) logged.push(`${level}: ${message}`);
  };
  const at = (level: string) => (message: string) => keep(level, message);
  const logger: Logger = {
    log: keep,
    ...{ trace: at('trace'), debug: at('debug'), info: at('info') },
    ...{ warn: at('warn'), error: at('error') },
  };
  return { logger, logged };
}

for (const [name, error, type, retried, level] of [
  ['an outage', unreachable, 'internal_error', true, 'error'],
  [
    "a caller's mistake",
    new ServiceError('audio_undecodable', 'It is broken.'),
    'audio_undecodable',
    false,
    'warn',
  ],
  [
    'what a lost worker has stored',
    Object.assign(new Error('taken'), { name: 'PreconditionFailed' }),
    'internal_error',
    true,
    'warn',
  ],
  ['a worker without a place', new AcquireTimeout('full'), 'no_place', true, null],
] as const) {
  test(`${name} crosses Temporal as ${type}; its alarm: ${level ?? 'none'}`, async (t) => {
    const { logger, logged } = alarms();
    const environment = new MockActivityEnvironment({}, { logger });
    const run = environment.run(() => runActivity(() => Promise.reject(error)));
    const failure = await t.throwsAsync(run, { instanceOf: ApplicationFailure });
    t.like(failure, { type, nonRetryable: !retried });
    t.deepEqual(logged, level ? [`${level}: activity failed`] : []);
  });
}

for (const [name, reason, expected] of [
  ['a cancelled activity', 'CANCELLED', []],
  ['one of a worker that stops', 'WORKER_SHUTDOWN', []],
  ['one whose time is over', 'TIMED_OUT', ['warn: activity timed out']],
] as const) {
  test(`${name} ends as cancelled, whatever its body threw`, async (t) => {
    const { logger, logged } = alarms();
    const environment = new MockActivityEnvironment({}, { logger });
    const run = environment.run(() =>
      runActivity(async ({ signal }) => {
        environment.cancel(reason);
        await settled();
        signal.throwIfAborted();
      }),
    );
    await t.throwsAsync(run, { instanceOf: CancelledFailure });
    t.deepEqual(logged, expected);
  });
}

// The time of the last alarm belongs to the process, so these two run one after the other.
for (const [name, isLocal, expected] of [
  ['the last report goes out every second until the end', false, [{}, { chunk: 2 }]],
  ['a local activity has no heartbeats', true, []],
] as const) {
  test.serial(name, async (t) => {
    mock.timers.enable({ apis: ['setInterval'] });
    t.teardown(() => mock.timers.reset());
    const environment = new MockActivityEnvironment({ isLocal });
    const beats: unknown[] = [];
    environment.on('heartbeat', (details) => beats.push(details));
    await environment.run(() =>
      runActivity(async (run) => {
        t.is(run.local, isLocal);
        mock.timers.tick(1_000);
        run.report({ chunk: 1 });
        run.report({ chunk: 2 });
        mock.timers.tick(1_000);
      }),
    );
    mock.timers.tick(10_000);
    t.deepEqual(beats, expected);
  });
}
