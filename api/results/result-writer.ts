// Serialises long results in a thread beside the event loop, which organizations share fairly.
import { Worker } from 'node:worker_threads';
import { createFairQueue } from '../../models/fairness/fair-queue.ts';
import type { ResultOrigin, WantedText } from './write-result.ts';
import { writeResult } from './write-result.ts';

export interface ResultWriter {
  /**
   * @param stored JSON of a RecordingResult; the writer takes ownership of it
   * @returns text in UTF-8
   */
  write(stored: Buffer, origin: ResultOrigin, wanted: WantedText): Promise<Buffer>;
  close(): void;
}

/**
 * Serialising a result of this size, some 20 s of speech, is faster than passing it to the thread.
 */
const smallBytes = 32_768;

/** A request to the thread. */
export interface WriteRequest {
  readonly stored: Uint8Array;
  readonly origin: ResultOrigin;
  readonly wanted: WantedText;
}

export type WriteAnswer =
  | { readonly kind: 'written'; readonly text: Uint8Array }
  | { readonly kind: 'failed'; readonly error: unknown };

interface Job extends WriteRequest {
  readonly organizationId: string;
  readonly priority: number;
  readonly cost: number;
  readonly written: PromiseWithResolvers<Buffer>;
}

/**
 * A thread rather than a process, because its input was written by this service's own workers, and
 * the megabytes of an hour can be transferred without a copy.
 */
export function createResultWriter(): ResultWriter {
  const waiting = createFairQueue<Job>();
  let thread: Worker | null = null;
  let working = false;

  const work = async (): Promise<void> => {
    if (working) return;
    working = true;
    for (let job = waiting.take(); job !== null; job = waiting.take()) {
      thread ??= startThread();
      const { resolve, reject } = job.written;
      await writeOn(thread, job).then(resolve, (error: unknown) => {
        reject(error);
        void thread?.terminate();
        thread = null;
      });
    }
    working = false;
  };

  return {
    write: async (stored, origin, wanted) => {
      if (stored.length <= smallBytes) return Buffer.from(writeResult(stored, origin, wanted));
      const { organizationId } = origin;
      // A synchronous answer goes before the lines of a batch.
      const priority = wanted.kind === 'line' ? 1 : 0;
      const written = Promise.withResolvers<Buffer>();
      const cost = stored.length;
      waiting.add({ organizationId, priority, cost, stored, origin, wanted, written });
      void work();
      return written.promise;
    },
    close: () => void thread?.terminate(),
  };
}

function startThread(): Worker {
  const thread = new Worker(new URL('./writer-thread.ts', import.meta.url), { env: {} });
  // The thread does not keep the process alive.
  thread.unref();
  return thread;
}

function writeOn(thread: Worker, { stored, origin, wanted }: Job): Promise<Buffer> {
  // Small reads share a buffer, which cannot be transferred, so they are copied.
  const own = stored.byteLength === stored.buffer.byteLength ? stored : new Uint8Array(stored);
  const request: WriteRequest = { stored: own, origin, wanted };
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      thread.off('message', onMessage);
      thread.off('error', onError);
      thread.off('exit', onExit);
    };
    const onMessage = (answer: WriteAnswer): void => {
      if (answer.kind === 'failed') {
        onError(answer.error);
        return;
      }
      settle();
      const { buffer, byteOffset, byteLength } = answer.text;
      resolve(Buffer.from(buffer, byteOffset, byteLength));
    };
    const onError = (error: unknown): void => {
      settle();
      reject(new Error('the result cannot be written', { cause: error }));
    };
    const onExit = (): void => onError(new Error('the thread has ended'));
    thread.on('message', onMessage);
    thread.on('error', onError);
    thread.on('exit', onExit);
    thread.postMessage(request, [own.buffer as ArrayBuffer]);
  });
}
