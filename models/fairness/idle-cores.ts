// How much of the machine nobody has used lately, other programs and decoders included.
import { readFileSync } from 'node:fs';

/** Shorter ones say little: the kernel counts in hundredths of a second. */
const minIntervalMs = 100;

/** Counted since the start of the machine, in one unit for all. */
export interface CoreTimes {
  readonly idle: number;
  readonly total: number;
}

export interface IdleCores {
  /** Of all cores, 0 to 1, since it was asked before; 0 where it is not known. */
  share(): number;
}

/** @param now milliseconds of a monotonic clock */
export function createIdleCores(
  read: () => CoreTimes | null = readCoreTimes,
  now: () => number = () => performance.now(),
): IdleCores {
  let before = read();
  let readAt = now();
  let latest = 0;
  return {
    share() {
      if (now() - readAt < minIntervalMs) return latest;
      const times = read();
      const total = times && before ? times.total - before.total : 0;
      latest = total > 0 ? (times!.idle - before!.idle) / total : 0;
      before = times;
      readAt = now();
      return latest;
    },
  };
}

/** Linux alone counts them in a file. */
function readCoreTimes(): CoreTimes | null {
  try {
    return parseCoreTimes(readFileSync('/proc/stat', 'utf8'));
  } catch {
    return null;
  }
}

/** @param stat of proc(5): user, nice, system, idle, waiting for a disk, ... */
export function parseCoreTimes(stat: string): CoreTimes | null {
  const counts = /^cpu +([\d ]+)$/m.exec(stat)?.[1]?.split(' ').map(Number) ?? [];
  const [, , , idle, waiting = 0] = counts;
  if (idle === undefined) return null;
  // The first eight: a guest's time is counted as a user's, too.
  const total = counts.slice(0, 8).reduce((sum, count) => sum + count, 0);
  return { idle: idle + waiting, total };
}
