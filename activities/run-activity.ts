// The frame of every activity: heartbeats while it runs, cancellation as a signal, typed failures.
import { CancelledFailure, Context } from '@temporalio/activity';
import { AcquireTimeout } from '../models/fairness/fair-semaphore.ts';
import {
  outageFailure,
  isClientError,
  isDiskFull,
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
  /** Small numbers for the UI; sent with the next heartbeat. */
  report(details: Readonly<Record<string, number>>): void;
}

export interface RunOptions {
  /**
   * An outage that goes on for so long, counted from when the activity was scheduled, ends it as
   * `not_ready`, and a full disk at once; without it outages are retried to its own deadline.
   */
  readonly outageLimitMs?: number | undefined;
}

/**
 * Runs `body` with heartbeats, which a local activity has none of; what it throws becomes an
 * ApplicationFailure with an error code.
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
    if (context.cancellationSignal.aborted) throw new CancelledFailure('cancelled');
    // Nothing is wrong with it, however long it lasts.
    if (error instanceof AcquireTimeout) throw toActivityFailure(error);
    const failure = toActivityFailure(error);
    // What the caller sent or has is no alarm.
    const level = isClientError(failure) ? 'warn' : 'error';
    context.log[level]('activity failed', { attempt, error });
    if (!isRetried(failure) || outageLimitMs === undefined) throw failure;
    // Temporal's times and our own elapsed one: this machine's clock may be set meanwhile.
    const { scheduledTimestampMs, currentAttemptScheduledTimestampMs } = context.info;
    const beforeMs = currentAttemptScheduledTimestampMs - scheduledTimestampMs;
    const waitedMs = beforeMs + performance.now() - startedAt;
    throw waitedMs > outageLimitMs || isDiskFull(error) ? outageFailure(error) : failure;
  } finally {
    clearInterval(timer);
  }
}
