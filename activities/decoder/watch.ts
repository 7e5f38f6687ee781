// What a job costs its decoder process while it runs, and the limits that end it.
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { maxDecodeCpuSeconds, maxDecodeSeconds } from './messages.ts';

/** Largest good file measured: 150 MB; a decoder that needs more is being attacked. */
const maxResidentBytes = 512 * 2 ** 20;
const intervalMs = 250;
/** Far more than a clip takes: whoever computes longer lets others go first. */
const longCpuSeconds = 0.25;
const longJobNiceness = 10;
const pageBytes = 4096;
/** Linux counts CPU time for user programs in hundredths, whatever the kernel does. */
const ticksPerSecond = 100;

export interface Watch {
  /** It has computed so long that it was put behind others: no process to start a clip in. */
  isLong(): boolean;
  /** Of the job so far; 0 where the kernel does not tell. */
  cpuSeconds(): number;
  stop(): void;
}

export interface WatchOptions {
  readonly pid: number | undefined;
  /** The job waits for its consumer: its clock stands still. */
  readonly isWaiting: () => boolean;
  /** @param reason what took too much, for the caller; null when it did nothing wrong but hang */
  readonly onLimit: (reason: string | null) => void;
}

/** Where the kernel does not tell of processes only the clock counts. */
export function watchDecoder({ pid, isWaiting, onLimit }: WatchOptions): Watch {
  const before = cpuSeconds(pid);
  let ownSeconds = 0;
  let long = false;
  let most = 0;
  // The process may be gone by the time of the last look.
  const usedSeconds = (): number => (most = Math.max(most, cpuSeconds(pid) - before));
  const check = (): void => {
    const used = usedSeconds();
    if (!isWaiting()) ownSeconds += intervalMs / 1000;
    if (used > maxDecodeCpuSeconds) {
      return onLimit(`decoding it takes more than ${maxDecodeCpuSeconds} seconds of computing`);
    }
    if (residentBytes(pid) > maxResidentBytes) {
      return onLimit(`decoding it takes more than ${maxResidentBytes / 2 ** 20} MiB of memory`);
    }
    if (ownSeconds > maxDecodeSeconds) return onLimit(null);
    if (!long && used > longCpuSeconds) {
      long = true;
      deprioritise(pid);
    }
  };
  const timer = setInterval(check, intervalMs);
  return { isLong: () => long, cpuSeconds: usedSeconds, stop: () => clearInterval(timer) };
}

function deprioritise(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, longJobNiceness);
  } catch {
    // It ended meanwhile.
  }
}

function cpuSeconds(pid: number | undefined): number {
  // Behind the name, which may hold spaces: state is the first field, user and system time follow.
  const fields = procFile(pid, 'stat').split(') ').at(-1)!.split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / ticksPerSecond;
}

function residentBytes(pid: number | undefined): number {
  return Number(procFile(pid, 'statm').split(' ')[1] ?? 0) * pageBytes;
}

/** Empty where there is none. */
function procFile(pid: number | undefined, name: string): string {
  try {
    return pid === undefined ? '' : readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
