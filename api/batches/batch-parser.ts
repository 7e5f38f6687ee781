// Parses large batch bodies in a child process, whose time organizations share fairly.
import type { RequestedItem } from '../../models/contract/batch-item.ts';
import { fork, type ChildProcess } from 'node:child_process';
import { ServiceError } from '../../models/contract/errors.ts';
import { createFairQueue } from '../../models/fairness/fair-queue.ts';
import { parseBatch, type ParsedBatch } from './parse-batch.ts';
import type { FromParser, ToParser } from './parser-messages.ts';

export interface BatchParser {
  /** @throws ServiceError as `parseBatch` does */
  parse(organizationId: string, body: Buffer): Promise<ParsedBatch>;
  close(): void;
}

/** A smaller body is parsed faster here than it is sent to the child and back. */
const smallBytes = 32_768;
/**
 * The heap that 16 MiB of JSON may need; a body that needs more ends only the child.
 */
const defaultHeapMebibytes = 768;
const defaultDeadlineMs = 20_000;
const blockBytes = 262_144;
/** A child that is killed may be somebody else's victim; a second one in a row is not. */
const maxAttempts = 2;
/** Of the machine or of the body: a caller may try again, but the same body is not parsed twice. */
const late = new Error('the parser gave no answer in time');
/** How V8 ends a process whose heap is full. */
const heapSignals: readonly (string | null)[] = ['SIGABRT', 'SIGTRAP', 'SIGILL'];

interface Job {
  readonly organizationId: string;
  readonly priority: number;
  readonly cost: number;
  readonly body: Buffer;
  readonly result: PromiseWithResolvers<ParsedBatch>;
}

export function createBatchParser({
  maxHeapMebibytes = defaultHeapMebibytes,
  deadlineMs = defaultDeadlineMs,
} = {}): BatchParser {
  const waiting = createFairQueue<Job>();
  let child: ChildProcess | null = null;
  let working = false;
  let closed = false;

  const parseInChild = async (body: Buffer): Promise<ParsedBatch> => {
    for (let attempts = 1; ; attempts += 1) {
      const current = (child ??= startChild(maxHeapMebibytes));
      try {
        return await parseOn(current, body, deadlineMs);
      } catch (error) {
        if (error instanceof ServiceError && error.cause === undefined) throw error;
        current.kill('SIGKILL');
        child = null;
        if (!isLost(error) || attempts === maxAttempts || closed) throw error;
      }
    }
  };
  const work = async (): Promise<void> => {
    if (working) return;
    working = true;
    for (let job = waiting.take(); job !== null; job = waiting.take()) {
      const { resolve, reject } = job.result;
      await parseInChild(job.body).then(resolve, reject);
    }
    working = false;
  };

  return {
    parse: async (organizationId, body) => {
      if (body.length <= smallBytes) return parseBatch(body);
      const result = Promise.withResolvers<ParsedBatch>();
      waiting.add({ organizationId, priority: 0, cost: body.length, body, result });
      void work();
      return result.promise;
    },
    close: () => {
      closed = true;
      child?.kill('SIGKILL');
    },
  };
}

function startChild(maxHeapMebibytes: number): ChildProcess {
  return fork(new URL('./parser-child.ts', import.meta.url), {
    // Without an environment, because it parses untrusted input and needs no secret.
    env: {},
    execArgv: [`--max-old-space-size=${maxHeapMebibytes}`],
    serialization: 'advanced',
    // V8's reports about exhausted memory would be plain text in this process's JSON log.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

async function parseOn(
  child: ChildProcess,
  body: Buffer,
  deadlineMs: number,
): Promise<ParsedBatch> {
  // In blocks, because copying all of it at once would block the event loop.
  for (let at = 0; at < body.length; at += blockBytes) {
    const bytes = body.subarray(at, at + blockBytes);
    await sendTo(child, { kind: 'bytes', bytes }, deadlineMs);
  }
  const first = await answerOf(child, { kind: 'parse' }, deadlineMs);
  if (first.kind === 'rejected') {
    throw new ServiceError(first.code, first.message, { param: first.param ?? undefined });
  }
  if (first.kind !== 'parsed') throw new Error('the parser sent an unexpected message');
  const items: RequestedItem[] = [];
  for (;;) {
    const piece = await answerOf(child, { kind: 'next' }, deadlineMs);
    if (piece.kind !== 'items' || piece.items === null) break;
    items.push(...piece.items);
  }
  return { head: first.head, fingerprint: first.fingerprint, items };
}

function sendTo(child: ChildProcess, message: ToParser, deadlineMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(lost(late)), deadlineMs);
    // That it has exited shows in the next answer.
    child.send(message, () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function answerOf(child: ChildProcess, message: ToParser, deadlineMs: number): Promise<FromParser> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      clearTimeout(timer);
      child.off('message', onMessage);
      child.off('exit', onExit);
      child.off('error', onError);
    };
    const onMessage = (answer: FromParser): void => {
      settle();
      resolve(answer);
    };
    const fail = (error: ServiceError): void => {
      settle();
      reject(error);
    };
    const onError = (cause: unknown): void => fail(lost(cause));
    const onExit = (code: number | null, signal: string | null): void => {
      const cause = new Error(`the parser has ended (${signal ?? `exit code ${code}`})`);
      fail(heapSignals.includes(signal) ? tooComplex(cause) : lost(cause));
    };
    const timer = setTimeout(() => onError(late), deadlineMs);
    if (child.exitCode !== null || child.signalCode !== null) {
      return onExit(child.exitCode, child.signalCode);
    }
    child.on('message', onMessage);
    child.on('exit', onExit);
    child.on('error', onError);
    child.send(message, (error) => error && onError(error));
  });
}

/** Because of what is in the body. */
function tooComplex(cause: unknown): ServiceError {
  const text = 'The body is too complex to be parsed as a batch.';
  return new ServiceError('invalid_json', text, { cause });
}

/** Because of something else: the same body may be parsed the next time. */
function lost(cause: unknown): ServiceError {
  const text = 'The body could not be parsed now; send it again.';
  return new ServiceError('not_ready', text, { cause, retryAfterSeconds: 1 });
}

function isLost(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'not_ready' && error.cause !== late;
}
