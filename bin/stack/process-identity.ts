// The identity of a process: its id, which is reused, and its start time.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks since boot on Linux, a date elsewhere; used for comparison only. */
  readonly startTime: string;
}

/** The identity of a running process; null when there is none with this id. */
export function identify(pid: number): ProcessIdentity | null {
  const startTime = process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
  return startTime === null ? null : { pid, startTime };
}

/** True while this very process runs. */
export function isRunning({ pid, startTime }: ProcessIdentity): boolean {
  return identify(pid)?.startTime === startTime;
}

/**
 * Field 22 of proc(5) stat; the name in field 2 may contain spaces and brackets. A zombie counts as
 * gone.
 */
function fromProc(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

function fromPs(pid: number): string | null {
  const { stdout, status } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
    encoding: 'utf8',
  });
  return status === 0 && stdout.trim() !== '' ? stdout.trim() : null;
}

/**
 * Signals a process group, or only the process when it leads no group; a process that is gone is
 * ignored.
 */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    signalProcess(pid, signal);
  }
}

/** Signals one process; a process that is gone is ignored. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended in the meantime.
  }
}

/** Waits until the process is gone; false when it still runs after the given time. */
export async function waitForEnd(identity: ProcessIdentity, seconds: number): Promise<boolean> {
  const deadline = performance.now() + seconds * 1000;
  while (isRunning(identity)) {
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return true;
}
