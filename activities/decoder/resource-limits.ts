// Enforces the limits of a decoding job: CPU time, memory and wall time of its process.
import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/**
 * CPU time limit of a job; 60 minutes of audio decode in about 5 s. A file that exceeds it is
 * rejected for good, and every activity that decodes has a longer timeout.
 */
const maxDecodeCpuSeconds = 40;
/**
 * Wall time limit of a job, without the time in which its consumer makes it wait or it waits for a
 * core. Two attempts fit into the two minutes that a small upload's activity has after its slot.
 */
const maxDecodeSeconds = 50;
/**
 * The largest legitimate file that was measured took 150 MB, so a decoder that needs more than this
 * is under attack.
 */
const maxResidentBytes = 512 * 2 ** 20;
const intervalMs = 250;
/** Far more than a clip takes: a job that computes for longer yields to others. */
const longCpuSeconds = 0.25;
const longJobNiceness = 19;
const pageBytes = 4096;
/** Linux reports CPU time to user programs in hundredths of a second. */
const ticksPerSecond = 100;

export interface Watch {
  /** The process has a lower scheduling priority now, so no clip should start in it. */
  isLong(): boolean;
  /** CPU time of the job so far; 0 when the kernel does not report it. */
  cpuSeconds(): number;
  stop(): void;
}

export interface WatchOptions {
  readonly pid: number | undefined;
  /** The job waits for its consumer, so its time does not count. */
  readonly isWaiting: () => boolean;
  /** @param reason which limit was exceeded, for the caller; null when the decoder only hung */
  readonly onLimit: (reason: string | null) => void;
}

/** Where the kernel does not report on processes, only the wall time counts. */
export function watchDecoder({ pid, isWaiting, onLimit }: WatchOptions): Watch {
  const before = cpuSeconds(pid);
  const ownTime = createOwnTime(pid);
  let long = false;
  let highest = 0;
  // The process may be gone at the last check.
  const usedSeconds = (): number => (highest = Math.max(highest, cpuSeconds(pid) - before));
  const check = (): void => {
    const used = usedSeconds();
    const ownSeconds = ownTime.add(intervalMs / 1000, isWaiting());
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

export interface OwnTime {
  /** @returns the seconds that count against the limit, those of this interval included */
  add(intervalSeconds: number, isWaiting: boolean): number;
}

/**
 * Wall time without the time in which the process waited for its consumer or, ready to run, for a
 * core: on a machine that is busy with other work a decoder that is slow has not hung. Where the
 * kernel does not report the latter, it counts.
 */
export function createOwnTime(pid: number | undefined): OwnTime {
  let wallSeconds = 0;
  const delayedBefore = delayedSeconds(pid);
  return {
    add(intervalSeconds, isWaiting) {
      if (!isWaiting) wallSeconds += intervalSeconds;
      // The kernel adds a delay when it ends, which may be many intervals later.
      return Math.max(0, wallSeconds - (delayedSeconds(pid) - delayedBefore));
    },
  };
}

function deprioritise(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, longJobNiceness);
  } catch {
    // The process has ended meanwhile.
  }
}

function cpuSeconds(pid: number | undefined): number {
  // The fields follow the name, which may contain spaces: state first, then user and system time.
  const fields = procFile(pid, 'stat').split(') ').at(-1)!.split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / ticksPerSecond;
}

/** Time that the threads of the process spent in the queue for a core, summed up. */
function delayedSeconds(pid: number | undefined): number {
  const nanoseconds = threadsOf(pid).map((thread) =>
    Number(procFile(pid, `task/${thread}/schedstat`).split(' ')[1] ?? 0),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e9;
}

function threadsOf(pid: number | undefined): readonly string[] {
  try {
    return pid === undefined ? [] : readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function residentBytes(pid: number | undefined): number {
  return Number(procFile(pid, 'statm').split(' ')[1] ?? 0) * pageBytes;
}

/** Empty when there is no such file. */
function procFile(pid: number | undefined, name: string): string {
  try {
    return pid === undefined ? '' : readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
