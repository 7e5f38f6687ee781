// What becomes of a step whose time is over: that is no fault of its recording, so it begins again.
import { ActivityFailure, ApplicationFailure, TimeoutFailure, patched } from '@temporalio/workflow';

const hourMs = 3_600_000;

/** A step is given up after so many rounds, once this much time has passed. */
export interface Patience {
  readonly rounds: number;
  readonly ms: number;
}

const ofBatch: Patience = { rounds: 4, ms: 48 * hourMs };
const ofCaller: Patience = { rounds: 1, ms: 4 * hourMs };

/**
 * The time of a step counts hours in which the service was switched off, storage could not be
 * reached or every place was taken. An item of a batch waits for days, and longer if it has hardly
 * been tried; what a caller sent waits for hours: its answer (504) has said that it takes longer.
 * Neither waits for ever, because a recording may be what ends its workers.
 * @param of `batch` is set for an item of a batch
 */
export function patienceFor({ batch }: { readonly batch?: unknown }): Patience {
  return batch === undefined ? ofCaller : ofBatch;
}

/** Runs a step again when its time was over before it was done (docs/adr/0080). */
export async function inRounds<T>({ rounds, ms }: Patience, step: () => Promise<T>): Promise<T> {
  const startedAtMs = Date.now();
  for (let round = 1; ; round += 1) {
    try {
      return await step();
    } catch (error) {
      const isOver = round >= rounds && Date.now() - startedAtMs >= ms;
      // Workflows of earlier versions ended at once.
      if (!isOutOfTime(error) || isOver || !patched('rounds')) throw error;
    }
  }
}

/** True for a step that its time alone has ended. */
export function isOutOfTime(error: unknown): boolean {
  if (!(error instanceof ActivityFailure)) return false;
  return error.retryState === 'TIMEOUT' || error.cause instanceof TimeoutFailure;
}

/** True when a step within the workflow task had its attempts: it fails with the last error. */
export function isOutOfAttempts(error: unknown): boolean {
  return error instanceof ApplicationFailure && error.nonRetryable !== true;
}
