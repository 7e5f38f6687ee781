// Waiting for what happens by itself.
import { setTimeout as sleep } from 'node:timers/promises';

const pauseMs = 50;
/** No machine stalls for so long; below the time after which ava ends a run without results. */
const limitMs = 600_000;

/**
 * Reads until the value is as wanted. A limit of the test's own would measure the machine.
 * @param wanted a state that lasts, and that does not hold before what is waited for has begun
 * @throws with the last value, when it never came
 */
export async function until<T>(
  read: () => T | Promise<T>,
  wanted: (value: T) => boolean = Boolean,
): Promise<T> {
  const end = performance.now() + limitMs;
  for (;;) {
    const value = await read();
    if (wanted(value)) return value;
    if (performance.now() > end) throw new Error(`it never came: ${JSON.stringify(value)}`);
    await sleep(pauseMs);
  }
}
