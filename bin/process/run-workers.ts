// The Temporal workers of a process. Where it serves sockets they poll until the last is closed: a
// stream whose first audio comes in the grace time is held by an activity as every other is, and
// what nobody holds is taken for lost.
import type { Worker } from '@temporalio/worker';

export type PollingWorker = Pick<Worker, 'run' | 'shutdown' | 'getState'>;

export interface Stopping {
  /** Resolves when the process is asked to stop. */
  readonly asked: Promise<unknown>;
  /** Closes the sockets, before the workers stop polling. */
  readonly close: () => Promise<void>;
}

/** Resolves when all have stopped. @throws what one of them threw, once the others have stopped */
export async function runWorkers(
  workers: readonly PollingWorker[],
  { asked, close }: Stopping,
): Promise<void> {
  const running = workers.map((worker) => worker.run());
  try {
    await Promise.race([asked, ...running]);
  } finally {
    await close();
    for (const worker of workers) {
      if (worker.getState() === 'RUNNING') worker.shutdown();
    }
    await Promise.allSettled(running);
  }
  await Promise.all(running);
}
