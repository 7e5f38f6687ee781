// Work that would block the event loop, in a child process whose time organizations share fairly. A
// process that dies or hangs is replaced.
import { fork, type ChildProcess } from 'node:child_process';
import { getPriority, setPriority } from 'node:os';
import { createFairQueue } from '../../models/fairness/fair-queue.ts';
import { compileCacheEnvironment } from '../../models/sandbox/compiled-code.ts';
import { bytePieces } from './byte-pieces.ts';
import type { ToChild } from './messages.ts';

export interface ProcessQueueOptions {
  /** A module that calls `serveParent`. */
  readonly script: URL;
  /** A job that needs more ends only its process. */
  readonly maxHeapMebibytes?: number;
  /** How long the child may take to read a block or to answer. */
  readonly deadlineMs?: number;
  /** How many processes may be too late with one job: 1 for input that may be the cause itself. */
  readonly maxLate: number;
}

export interface OffloadedJob<Request> {
  readonly organizationId: string;
  /** Jobs of lower values go first. */
  readonly priority: number;
  /** In the order of their bytes. */
  readonly blocks: readonly Uint8Array[];
  readonly request: Request;
}

export interface OffloadedAnswer<Head, Piece> {
  readonly head: Head;
  readonly pieces: readonly Piece[];
}

export interface ProcessQueue<Request, Head, Piece> {
  /** @throws ProcessLost, HeapExceeded */
  run(job: OffloadedJob<Request>): Promise<OffloadedAnswer<Head, Piece>>;
  close(): void;
}

/** Not because of the job: it may succeed the next time. */
export class ProcessLost extends Error {
  override readonly name = 'ProcessLost';
  readonly isLate: boolean;

  constructor(reason: string, isLate = false) {
    super(reason);
    this.isLate = isLate;
  }
}

/** Because of the input. */
export class HeapExceeded extends Error {
  override readonly name = 'HeapExceeded';
}

/** Twice what 16 MiB of JSON need; the memory limits of deploy/ count on it. */
export const defaultHeapMebibytes = 384;
const defaultDeadlineMs = 20_000;
/** Below the API, above inference. */
const niceness = 5;
/** A process that is killed may be somebody else's victim; a second one in a row is not. */
const maxAttempts = 2;
/** How V8 ends a process whose heap is full. */
const heapSignals: readonly (string | null)[] = ['SIGABRT', 'SIGTRAP', 'SIGILL'];

interface Waiting<Request, Head, Piece> extends OffloadedJob<Request> {
  /** Bytes of the input. */
  readonly cost: number;
  readonly result: PromiseWithResolvers<OffloadedAnswer<Head, Piece>>;
}

/** One process, started with the first job, for one job at a time. */
export function createProcessQueue<Request, Head, Piece>({
  script,
  maxHeapMebibytes = defaultHeapMebibytes,
  deadlineMs = defaultDeadlineMs,
  maxLate,
}: ProcessQueueOptions): ProcessQueue<Request, Head, Piece> {
  const waiting = createFairQueue<Waiting<Request, Head, Piece>>();
  let child: ChildProcess | null = null;
  let working = false;
  let closed = false;

  const attempt = async (
    job: Waiting<Request, Head, Piece>,
  ): Promise<OffloadedAnswer<Head, Piece>> => {
    for (let attempts = 1; ; attempts += 1) {
      const current = (child ??= startChild(script, maxHeapMebibytes));
      try {
        return await runOn(current, job, deadlineMs);
      } catch (error) {
        current.kill('SIGKILL');
        child = null;
        const max = error instanceof ProcessLost && error.isLate ? maxLate : maxAttempts;
        if (!(error instanceof ProcessLost) || attempts >= max || closed) throw error;
      }
    }
  };
  const work = async (): Promise<void> => {
    if (working) return;
    working = true;
    for (let job = waiting.take(); job !== null; job = waiting.take()) {
      const { resolve, reject } = job.result;
      await attempt(job).then(resolve, reject);
    }
    working = false;
  };

  return {
    run: (job) => {
      const result = Promise.withResolvers<OffloadedAnswer<Head, Piece>>();
      const cost = job.blocks.reduce((sum, { length }) => sum + length, 0);
      waiting.add({ ...job, cost, result });
      void work();
      return result.promise;
    },
    close: () => {
      closed = true;
      child?.kill('SIGKILL');
    },
  };
}

function startChild(script: URL, maxHeapMebibytes: number): ChildProcess {
  const child = fork(script, {
    // Without this one's environment, because it parses untrusted input and needs no secret.
    env: compileCacheEnvironment(),
    execArgv: [`--max-old-space-size=${maxHeapMebibytes}`],
    serialization: 'advanced',
    // V8's reports about exhausted memory would be plain text in this process's JSON log.
    stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
  });
  // What would block the event loop beside it shall not take its core instead.
  if (child.pid !== undefined) setPriority(child.pid, Math.max(getPriority(), niceness));
  // A process that has ended takes no more input; that it has ended shows in its next answer.
  child.stdin?.on('error', () => {});
  // Each job has a listener of its own; without one, an error would end this process.
  child.on('error', () => {});
  return child;
}

async function runOn<Request, Head, Piece>(
  child: ChildProcess,
  { blocks, request, cost: bytes }: Waiting<Request, Head, Piece>,
  deadlineMs: number,
): Promise<OffloadedAnswer<Head, Piece>> {
  const ask = <T>(message: ToChild<Request>): Promise<T> => answerOf(child, message, deadlineMs);
  if (child.pid === undefined) throw new ProcessLost('the process could not be started');
  for (const piece of bytePieces(blocks)) await writeTo(child, piece, deadlineMs);
  const head = await ask<Head>({ kind: 'run', request, bytes });
  const pieces: Piece[] = [];
  for (;;) {
    const piece = await ask<Piece | null>({ kind: 'next' });
    if (piece === null) return { head, pieces };
    pieces.push(piece);
  }
}

function late(): ProcessLost {
  return new ProcessLost('the process gave no answer in time', true);
}

/**
 * By standard input, because messages are copied twice: garbage that stopped the event loop for
 * tens of milliseconds under bodies of 13 MB.
 */
function writeTo(child: ChildProcess, piece: Uint8Array, deadlineMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), deadlineMs);
    child.stdin!.write(piece, () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function answerOf<T>(child: ChildProcess, message: object, deadlineMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      clearTimeout(timer);
      child.off('message', onMessage);
      child.off('exit', onExit);
      child.off('error', onError);
    };
    const onMessage = (answer: unknown): void => {
      settle();
      resolve(answer as T);
    };
    const fail = (error: Error): void => {
      settle();
      reject(error);
    };
    const onError = (error: Error): void => fail(new ProcessLost(error.message));
    const onExit = (code: number | null, signal: string | null): void => {
      const reason = `the process has ended (${signal ?? `exit code ${code}`})`;
      fail(heapSignals.includes(signal) ? new HeapExceeded(reason) : new ProcessLost(reason));
    };
    const timer = setTimeout(() => fail(late()), deadlineMs);
    if (child.exitCode !== null || child.signalCode !== null) {
      return onExit(child.exitCode, child.signalCode);
    }
    child.on('message', onMessage);
    child.on('exit', onExit);
    child.on('error', onError);
    child.send(message, (error) => error && onError(error));
  });
}
