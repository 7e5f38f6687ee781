// When the same file arrives many times at once, one copy is decoded first, so that a decompression
// bomb does its harm only once.
import { createRecentSet } from '../models/concurrency/recent-set.ts';

/** Files that are remembered as harmless. */
const maxKnown = 10_000;

export interface DecodeTrials {
  /**
   * Runs the work at once, unless the same file is being decoded for the first time: then after
   * that has ended, with whatever outcome.
   * @param beforeWork called when the work had to wait
   * @param isHarmful whether an error was caused by the file
   */
  run<T>(name: string, trial: Trial<T>): Promise<T>;
}

export interface Trial<T> {
  readonly work: () => Promise<T>;
  readonly beforeWork: () => Promise<void>;
  readonly isHarmful: (error: unknown) => boolean;
}

/** Each caller waits for one other at most, so that files that fail fast do not queue up. */
export function createDecodeTrials(): DecodeTrials {
  const inProgress = new Map<string, Promise<void>>();
  const harmless = createRecentSet(maxKnown);
  return {
    run: async (name, { work, beforeWork, isHarmful }) => {
      if (harmless.has(name)) return work();
      const other = inProgress.get(name);
      if (other) {
        await other;
        await beforeWork();
        return work();
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      inProgress.set(name, promise);
      try {
        const done = await work();
        harmless.add(name);
        return done;
      } catch (error) {
        if (!isHarmful(error)) harmless.add(name);
        throw error;
      } finally {
        inProgress.delete(name);
        resolve();
      }
    },
  };
}
