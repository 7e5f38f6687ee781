// The scheduled clean-up of what crashes left behind.
import { sweep } from './proxies.ts';

/** One pass; the schedule that the worker creates starts it every minute. */
export async function sweepLeftovers(): Promise<void> {
  await sweep();
}
