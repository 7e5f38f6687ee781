// Ending the processes that a test started.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** Asks it to stop, and kills it if it does not. */
export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await Promise.race([gone, sleep(25_000, null, { ref: false })]);
  child.kill('SIGKILL');
}
