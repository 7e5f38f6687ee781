// When a process of the service is asked to stop.
import { keyPresses } from './key-presses.ts';

const stopSignals = ['SIGINT', 'SIGTERM'] as const;

/**
 * Resolves at the first SIGINT or SIGTERM, or when the parent that started this process with a
 * channel has died and can no longer stop it. A terminal, npm and set-up each send the signal of
 * one Ctrl-C, so what follows at once is the same.
 * @param again is told of the same signal once more, later; by default that ends the process
 */
export function askedToStop(again: (signal: NodeJS.Signals) => void = endBy): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of stopSignals) {
      const press = keyPresses();
      process.on(signal, () => {
        if (press() === 'later') again(signal);
        resolve();
      });
    }
    process.once('disconnect', resolve);
  });
}

/** Ends this process as the signal does where nobody listens to it. */
export function endBy(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
