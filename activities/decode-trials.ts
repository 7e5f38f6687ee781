// Of a file that comes many times at once, one is decoded first: a bomb harms once.

/** Files whose decoding is known to be harmless; the oldest are forgotten. */
const maxKnown = 10_000;

export interface DecodeTrials {
  /**
   * Runs the work at once, but where the same file is being tried for the first time: then after
   * that has ended, however it did.
   * @param beforeWork runs where there was something to wait for
   * @param isHarmful whether the file is to blame for an error
   */
  run<T>(name: string, trial: Trial<T>): Promise<T>;
}

export interface Trial<T> {
  readonly work: () => Promise<T>;
  readonly beforeWork: () => Promise<void>;
  readonly isHarmful: (error: unknown) => boolean;
}

/** Each waits for one other at most, so that files that fail fast make no long line. */
export function createDecodeTrials(): DecodeTrials {
  const inProgress = new Map<string, Promise<void>>();
  const harmless = new Set<string>();
  const markHarmless = (name: string): void => {
    harmless.add(name);
    for (const oldest of harmless) {
      if (harmless.size <= maxKnown) break;
      harmless.delete(oldest);
    }
  };
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
        markHarmless(name);
        return done;
      } catch (error) {
        if (!isHarmful(error)) markHarmless(name);
        throw error;
      } finally {
        inProgress.delete(name);
        resolve();
      }
    },
  };
}
