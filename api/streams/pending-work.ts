// Work that a socket has started and that may outlast it.

export interface PendingWork {
  /** A failure is the work's own to report. */
  readonly track: (work: Promise<void>) => void;
  /** Resolves when all work that was started has ended, also what is started meanwhile. */
  readonly settled: () => Promise<void>;
}

export function createPendingWork(): PendingWork {
  const pending = new Set<Promise<void>>();
  return {
    track(work) {
      const tracked = work.catch(() => {}).finally(() => pending.delete(tracked));
      pending.add(tracked);
    },
    async settled() {
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}
