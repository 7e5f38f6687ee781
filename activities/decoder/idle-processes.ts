// Decoder processes that stay with the organizations they served last, for their next file.

/** What is kept of a process. */
export interface KeptProcess {
  isAlive(): boolean;
  kill(): void;
}

export interface IdleProcesses<P extends KeptProcess> {
  /** The process that served the organization last; null when none is left. */
  take(organizationId: string): P | null;
  /** Kills the one that has been idle for longest when there are too many. */
  keep(organizationId: string, process: P): void;
}

export interface IdleOptions {
  readonly max: number;
  /** A process that is idle for so long is killed. */
  readonly idleMs: number;
}

interface Kept<P> {
  readonly organizationId: string;
  readonly process: P;
  readonly expiry: NodeJS.Timeout;
}

export function createIdleProcesses<P extends KeptProcess>({
  max,
  idleMs,
}: IdleOptions): IdleProcesses<P> {
  /** Least recently used first. */
  const idle: Kept<P>[] = [];

  const remove = (index: number): P | null => {
    const [found] = index < 0 ? [] : idle.splice(index, 1);
    clearTimeout(found?.expiry);
    return found?.process ?? null;
  };
  return {
    take(organizationId) {
      const process = remove(idle.findLastIndex((one) => one.organizationId === organizationId));
      return process?.isAlive() ? process : null;
    },
    keep(organizationId, process) {
      const expire = (): void => {
        remove(idle.findIndex((one) => one.process === process));
        process.kill();
      };
      idle.push({ organizationId, process, expiry: setTimeout(expire, idleMs).unref() });
      if (idle.length > max) remove(0)!.kill();
    },
  };
}
