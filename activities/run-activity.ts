// The frame of every activity: heartbeats while it runs, cancellation as a signal, typed failures.
import { CancelledFailure, Context } from '@temporalio/activity';
import { toActivityFailure } from './failures.ts';

const heartbeatIntervalMs = 1_000;

export interface ActivityRun {
  /** Aborted when the activity is cancelled. */
  readonly signal: AbortSignal;
  /** The activity's attempt, from 1. */
  readonly attempt: number;
  /** Small numbers for the UI; sent with the next heartbeat. */
  report(details: Readonly<Record<string, number>>): void;
}

/** Runs `body` with heartbeats; what it throws becomes an ApplicationFailure with an error code. */
export async function runActivity<T>(body: (run: ActivityRun) => Promise<T>): Promise<T> {
  const context = Context.current();
  const { attempt } = context.info;
  let details: Readonly<Record<string, number>> = {};
  const timer = setInterval(() => context.heartbeat(details), heartbeatIntervalMs);
  try {
    return await body({
      signal: context.cancellationSignal,
      attempt,
      report: (next) => {
        details = next;
      },
    });
  } catch (error) {
    if (context.cancellationSignal.aborted) throw new CancelledFailure('cancelled');
    context.log.warn('activity failed', { attempt, error });
    throw toActivityFailure(error);
  } finally {
    clearInterval(timer);
  }
}
