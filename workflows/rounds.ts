// What becomes of a step whose time is over: that is no fault of its recording, so it begins again.
import { ActivityFailure, TimeoutFailure, patched } from '@temporalio/workflow';

const hourMs = 3_600_000;

/**
 * The time of a step counts hours in which the service was switched off, storage could not be
 * reached or every place was taken. An item of a batch waits for days, and longer if it has hardly
 * been tried; what a caller sent waits for hours: he was told that it takes longer. Neither waits
 * for ever, because a recording may be what ends its workers.
 */
const patience = {
  ofBatch: { rounds: 4, ms: 48 * hourMs },
  ofCaller: { rounds: 1, ms: 4 * hourMs },
} as const;

/**
 * Runs a step again when its time was over before it was done (docs/adr/0080).
 * @param of `batch` is set for an item of a batch
 */
export async function inRounds<T>(
  of: { readonly batch?: unknown },
  step: () => Promise<T>,
): Promise<T> {
  const { rounds, ms } = of.batch === undefined ? patience.ofCaller : patience.ofBatch;
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
