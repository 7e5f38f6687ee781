// Decoder processes: some started ahead for new organizations, some kept for those served before.
import { setTimeout as sleep } from 'node:timers/promises';
import { createIdleProcesses } from './idle-processes.ts';
import { startDecoderProcess, type DecoderProcess } from './process.ts';

/** A process is replaced after this many files, which bounds a slow leak in a codec. */
const maxFiles = 100;
/** A process that fails to start is retried no faster than this. */
const retryMs = 1_000;
/** Another file of the organization would have come by then; a process takes 50 MB. */
const idleMs = 60_000;
/** As often as this in a row, none can be started here, and not this one only. */
const maxFailedStarts = 8;

export interface DecoderProcesses {
  /** A process that has never held a file of another organization. */
  take(organizationId: string): DecoderProcess;
  /**
   * Keeps the process for the organization's next file, unless it is worn out or others need the
   * memory.
   */
  release(organizationId: string, process: DecoderProcess): void;
  /**
   * Resolves when the processes that were started ahead, or their successors, can decode.
   * @throws what the last one failed with, when one after the other failed to start
   */
  ready(): Promise<void>;
  close(): Promise<void>;
}

export interface ProcessesOptions {
  /**
   * Processes started ahead, so that the first file of an organization does not wait for a start.
   */
  readonly ahead: number;
  /** Idle processes that stay for a minute with the organizations that were served last. */
  readonly idle: number;
  /** The folder of the uploads, in which scratch folders are made. */
  readonly directory: string;
  /** Niceness of the processes, 0 to 19; absent for those that callers wait for. */
  readonly niceness?: number;
}

export function createDecoderProcesses(options: ProcessesOptions): DecoderProcesses {
  const all = new Set<DecoderProcess>();
  const spare: DecoderProcess[] = [];
  const idle = createIdleProcesses<DecoderProcess>({ max: options.idle, idleMs });
  const files = new WeakMap<DecoderProcess, number>();
  let closed = false;

  const start = (): DecoderProcess => {
    const process = startDecoderProcess(options.directory, options.niceness);
    all.add(process);
    void process.exited.then(() => all.delete(process));
    return process;
  };
  const starts = countStarts(options.ahead);
  const startAhead = (): void => {
    try {
      while (!closed && spare.length < options.ahead) {
        const process = start();
        spare.push(process);
        void replaceWhenGone(process);
      }
    } catch (error) {
      // The disk or a table of the kernel is full, which passes.
      starts.failed(error);
      setTimeout(startAhead, retryMs).unref();
    }
  };
  const replaceWhenGone = async (process: DecoderProcess): Promise<void> => {
    const started = await starts.count(process.ready);
    await process.exited;
    const index = spare.indexOf(process);
    if (index >= 0) spare.splice(index, 1);
    if (!started) await sleep(retryMs, null, { ref: false });
    startAhead();
  };
  const takeSpare = (): DecoderProcess => {
    const process = spare.find((one) => one.isAlive());
    if (!process) return start();
    spare.splice(spare.indexOf(process), 1);
    startAhead();
    return process;
  };

  startAhead();
  return {
    take: (organizationId) => {
      const process = idle.take(organizationId) ?? takeSpare();
      files.set(process, (files.get(process) ?? 0) + 1);
      return process;
    },
    release: (organizationId, process) => {
      // Whatever ended the job may have killed the process, whose exit event is still to come.
      if (!process.isAlive()) return;
      if (!process.hasFullPriority() || files.get(process)! >= maxFiles) return process.kill();
      idle.keep(organizationId, process);
    },
    ready: () => starts.enough,
    close: async () => {
      closed = true;
      starts.end();
      for (const process of all) process.kill();
      await Promise.all([...all].map((process) => process.exited));
    },
  };
}

interface Starts {
  /** Resolves after as many as were wanted; rejects when none starts any more. */
  readonly enough: Promise<void>;
  /** @returns whether the process has started */
  count(ready: Promise<void>): Promise<boolean>;
  failed(error: unknown): void;
  /** No further process is started. */
  end(): void;
}

function countStarts(wanted: number): Starts {
  const { promise: enough, resolve, reject } = Promise.withResolvers<void>();
  enough.catch(() => {});
  if (wanted === 0) resolve();
  let succeeded = 0;
  let failedInARow = 0;
  const failed = (error: unknown): void => {
    failedInARow += 1;
    if (failedInARow >= maxFailedStarts) reject(error);
  };
  return {
    enough,
    failed,
    async count(ready) {
      try {
        await ready;
      } catch (error) {
        failed(error);
        return false;
      }
      failedInARow = 0;
      succeeded += 1;
      if (succeeded >= wanted) resolve();
      return true;
    },
    end: () => reject(new Error('the decoder is closed')),
  };
}
