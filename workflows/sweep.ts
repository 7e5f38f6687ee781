// Housekeeping on a schedule: what a crash left behind is finished or deleted.
import { sweep } from './proxies.ts';

/** One pass; the schedule that the worker creates starts it every minute. */
export async function sweepLeftovers(): Promise<void> {
  await sweep();
}
