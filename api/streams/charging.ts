// Charges that are being written for a socket. What would end it waits for them, because the
// result of what is charged has to be sent.

export interface Charging {
  /** @param answered settles once the result, or why there is none, has been handed over */
  readonly add: (answered: Promise<void>) => void;
  /** Runs it at once, or after the charges that are being written now. */
  readonly afterwards: (work: () => void) => void;
}

export function createCharging(): Charging {
  const inProgress = new Set<Promise<void>>();
  return {
    add(answered) {
      const ended = answered.catch(() => {}).then(() => void inProgress.delete(ended));
      inProgress.add(ended);
    },
    afterwards(work) {
      if (inProgress.size === 0) work();
      else void Promise.all(inProgress).then(work);
    },
  };
}
