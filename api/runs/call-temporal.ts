// Calls of the Temporal server that are given up in time.
import type { Client } from '@temporalio/client';

/** Without a deadline a call over a silent line is never given up. */
export function callWithin<T>(
  { connection }: Pick<Client, 'connection'>,
  timeoutMs: number,
  work: () => Promise<T>,
): Promise<T> {
  return connection.withDeadline(Date.now() + timeoutMs, work);
}
