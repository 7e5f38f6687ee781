// Gives back to the machine what the process has freed and the C library keeps (docs/adr/0067).
import { cpuUsage } from 'node:process';
import { DataType, load, open } from 'ffi-rs';

/** A page that is needed again costs a fault: not more often, then. */
const defaultEveryMs = 10_000;
/** Less process time than this frees little. */
const minWorkedMs = 50;

/**
 * Returns freed memory now and then, but not while the process only waits. glibc by itself returns
 * the top of its heap alone: between blocks that live on, what ONNX Runtime has freed after it
 * loaded or ran a session stays. Does nothing where the C library has no `malloc_trim` (musl,
 * macOS). @see malloc_trim(3)
 * @returns ends it
 */
export function returnFreedMemory(everyMs: number = defaultEveryMs): () => void {
  const trim = findTrim();
  if (trim === null) return () => {};
  let workedMs = -Infinity;
  const timer = setInterval(() => {
    const { user, system } = cpuUsage();
    const nowMs = (user + system) / 1000;
    if (nowMs - workedMs < minWorkedMs) return;
    workedMs = nowMs;
    trim();
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Null where the C library has none. */
export function findTrim(): (() => void) | null {
  try {
    open({ library: 'c', path: 'libc.so.6' });
    const call = {
      ...{ library: 'c', funcName: 'malloc_trim', retType: DataType.I32 },
      ...{ paramsType: [DataType.U64], paramsValue: [0] },
    };
    load(call);
    // In a thread of the pool: a large heap takes milliseconds.
    return () => void load({ ...call, runInNewThread: true });
  } catch {
    return null;
  }
}
