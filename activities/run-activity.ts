// The frame of every activity: heartbeats while it runs, cancellation as a signal, and typed
// failures.
import { CancelledFailure, Context } from '@temporalio/activity';
import { AcquireTimeout } from '../models/fairness/fair-semaphore.ts';
import {
  outageFailure,
  isClientError,
  isDiskFull,
  isRepeat,
  isRetried,
  toActivityFailure,
} from './failures.ts';

const heartbeatIntervalMs = 1_000;

export interface ActivityRun {
  /** Aborted when the activity is cancelled. */
  readonly signal: AbortSignal;
  /** The activity's attempt, from 1. */
  readonly attempt: number;
  /** It runs inside the workflow task. */
  readonly local: boolean;
  /** Small numbers for the Temporal UI; sent with the next heartbeat. */
  report(details: Readonly<Record<string, number>>): void;
}

export interface RunOptions {
  /**
   * An outage longer than this, counted from when the activity was scheduled, ends it as
   * `not_ready`, and so does a full disk at once. Without it outages are retried until the
   * activity's deadline.
   */
  readonly outageLimitMs?: number | undefined;
}

/**
 * Runs `body` with heartbeats, unless the activity is local. An error becomes an ApplicationFailure
 * whose type is an error code.
 */
export async function runActivity<T>(
  body: (run: ActivityRun) => Promise<T>,
  { outageLimitMs }: RunOptions = {},
): Promise<T> {
  const context = Context.current();
  const { attempt, isLocal: local } = context.info;
  const startedAt = performance.now();
  let details: Readonly<Record<string, number>> = {};
  const heartbeat = (): void => context.heartbeat(details);
  const timer = local ? undefined : setInterval(heartbeat, heartbeatIntervalMs);
  try {
    return await body({
      signal: context.cancellationSignal,
      attempt,
      local,
      report: (next) => {
        details = next;
      },
    });
  } catch (error) {
    if (context.cancellationSignal.aborted) {
      warnIfTimedOut(context, performance.now() - startedAt);
      throw new CancelledFailure('cancelled');
    }
    // Waiting for a slot is no error, however long it takes.
    if (error instanceof AcquireTimeout) throw toActivityFailure(error);
    const failure = toActivityFailure(error);
    // A client error needs no alarm, nor does the repeat of a lost worker's step.
    const level = isClientError(failure) || isRepeat(error, attempt) ? 'warn' : 'error';
    context.log[level]('activity failed', { attempt, error });
    if (!isRetried(failure) || outageLimitMs === undefined) throw failure;
    // Uses Temporal's timestamps and this process's own elapsed time, because the machine's clock
    // may be set meanwhile.
    const { scheduledTimestampMs, currentAttemptScheduledTimestampMs } = context.info;
    const beforeMs = currentAttemptScheduledTimestampMs - scheduledTimestampMs;
    const waitedMs = beforeMs + performance.now() - startedAt;
    throw waitedMs > outageLimitMs || isDiskFull(error) ? outageFailure(error) : failure;
  } finally {
    clearInterval(timer);
  }
}

/**
 * The attempt has ended with nothing done, and is repeated or not. Of a local activity the history
 * says nothing about it.
 */
function warnIfTimedOut(context: Context, elapsedMs: number): void {
  const reason: unknown = context.cancellationSignal.reason;
  if (!(reason instanceof CancelledFailure) || reason.message !== 'TIMED_OUT') return;
  const { attempt, isLocal: local, startToCloseTimeoutMs: limitMs } = context.info;
  context.log.warn('activity timed out', {
    ...{ attempt, local, limitMs },
    elapsedMs: Math.round(elapsedMs),
  });
}
