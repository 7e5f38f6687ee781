// Charges that are being written for a socket. What would end it waits for them, because the
// result of what is charged has to be sent.

export interface Charging {
  /** @param answered settles once the result, or why there is none, has been handed over */
  readonly add: (answered: Promise<void>) => void;
  /** Runs it at once, or after the charges that are being written now. */
  readonly afterwards: (work: () => void) => void;
  /** Whether as much waits for the charges as may. */
  readonly isCrowded: () => boolean;
}

/**
 * A client that has committed has nothing to say but pings, and a charge may take seconds; audio is
 * kept as it is while it waits.
 */
const maxWaiting = 32;

export function createCharging(): Charging {
  const inProgress = new Set<Promise<void>>();
  let waiting = 0;
  return {
    add(answered) {
      const ended = answered.catch(() => {}).then(() => void inProgress.delete(ended));
      inProgress.add(ended);
    },
    afterwards(work) {
      if (inProgress.size === 0) return work();
      waiting += 1;
      void Promise.all(inProgress).then(() => {
        waiting -= 1;
        work();
      });
    },
    isCrowded: () => waiting >= maxWaiting,
  };
}
