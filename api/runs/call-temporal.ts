// Calls of the Temporal server with a deadline.
import type { Client } from '@temporalio/client';

/** Without a deadline a call over a silent connection would never end. */
export function callWithin<T>(
  { connection }: Pick<Client, 'connection'>,
  timeoutMs: number,
  work: () => Promise<T>,
): Promise<T> {
  return connection.withDeadline(Date.now() + timeoutMs, work);
}
