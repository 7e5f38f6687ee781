// Repeats an operation after transient errors, within a time limit.
import { setTimeout as sleep } from 'node:timers/promises';

export interface RetryOptions {
  readonly timeoutMs: number;
  /** Delay before the next attempt. @param attempt number of the failed one, from 1 */
  readonly delayMs: (attempt: number) => number;
  /** Default: every error is transient. */
  readonly isTransient?: (error: unknown) => boolean;
}

/**
 * @param work receives the milliseconds that are left
 * @throws an error that is not transient, or the last one when the next attempt would be too late
 */
export async function retryWithin<T>(
  { timeoutMs, delayMs, isTransient = () => true }: RetryOptions,
  work: (remainingMs: number) => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(deadline - performance.now());
    } catch (error) {
      const delay = delayMs(attempt);
      if (!isTransient(error) || performance.now() + delay > deadline) throw error;
      await sleep(delay);
    }
  }
}
