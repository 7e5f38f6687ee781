// A job that waits for a process.
import type { FairQueue } from '../fairness/fair-queue.ts';
import { InferenceFailed, InferenceProcessDied } from './errors.ts';
import { expectedMs } from './job-cost.ts';
import type { JobOptions } from './jobs.ts';
import type { Job } from './messages.ts';
import type { PlacedJob } from './placement.ts';

export interface QueuedJob extends PlacedJob {
  readonly job: Job;
  readonly pcm: Int16Array;
  readonly signal: AbortSignal | undefined;
  readonly queuedAt: number;
  /** How many processes have died while they ran it. */
  crashes: number;
  /** It failed in a group, so it runs alone to show whether it was the cause. */
  runsAlone: boolean;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Audio that kills its process this often is given up, so that it is not retried without end. */
const maxCrashes = 2;

/** Resolves with the job's outcome; an abort takes it out of the queue. */
export function queueJob(
  queue: FairQueue<QueuedJob>,
  { job, pcm, ...options }: JobOptions & { readonly job: Job; readonly pcm: Int16Array },
): Promise<unknown> {
  const { organizationId, priority, signal } = options;
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const queued = {
    ...{ job, pcm, organizationId, priority, signal, resolve, reject },
    cost: expectedMs(job, pcm.length),
    queuedAt: performance.now(),
    crashes: 0,
    runsAlone: false,
  };
  const onAbort = (): void => {
    queue.remove(queued);
    reject(signal?.reason);
  };
  signal?.addEventListener('abort', onAbort);
  queue.add(queued);
  return promise.finally(() => signal?.removeEventListener('abort', onAbort));
}

/**
 * Whether a failed job goes back to the queue. Another job may have killed the process, so a job is
 * tried once more.
 * @param alone false: the job was one of a group and has to run alone to show whether it was the
 * cause
 */
export function shouldRequeue(
  job: QueuedJob,
  error: unknown,
  { alone }: { readonly alone: boolean },
): boolean {
  if (job.signal?.aborted) return false;
  const died = error instanceof InferenceProcessDied;
  if (!alone && (died || error instanceof InferenceFailed)) {
    job.runsAlone = true;
    return true;
  }
  if (!died) return false;
  if (error.suspect) job.crashes += 1;
  return job.crashes < maxCrashes;
}
