// Which job runs next: urgent before bulk, in order within a priority; pure.
import type { Priority } from './jobs.ts';

export interface Prioritised {
  readonly priority: Priority;
}

export interface JobQueue<T extends Prioritised> {
  /** Behind every job of the same or a more urgent priority. */
  add(job: T): void;
  remove(job: T): void;
  /** The next job; null when none may run. Bulk (3, 5) waits unless `mayRunBulk`. */
  take(options: { readonly mayRunBulk: boolean }): T | null;
  /** Empties the queue. */
  drain(): readonly T[];
}

export function createJobQueue<T extends Prioritised>(): JobQueue<T> {
  const jobs: T[] = [];
  return {
    add: (job) => {
      const after = jobs.findLastIndex((other) => other.priority <= job.priority);
      jobs.splice(after + 1, 0, job);
    },
    remove: (job) => {
      const index = jobs.indexOf(job);
      if (index >= 0) jobs.splice(index, 1);
    },
    take: ({ mayRunBulk }) => {
      const index = jobs.findIndex((job) => job.priority === 1 || mayRunBulk);
      return index < 0 ? null : (jobs.splice(index, 1)[0] ?? null);
    },
    drain: () => jobs.splice(0),
  };
}
