// Serialises long results in a child process (api/offload).
import { ServiceError } from '../../models/contract/errors.ts';
import {
  createProcessQueue,
  ProcessLost,
  type ProcessQueueOptions,
} from '../offload/process-queue.ts';
import type { ResultOrigin, WantedText } from './write-result.ts';
import { writeResult } from './write-result.ts';
import type { WrittenHead, WriteRequest } from './writer-child.ts';

export interface ResultWriter {
  /**
   * @param stored JSON of a RecordingResult
   * @returns text in UTF-8
   * @throws ServiceError 503 not_ready
   */
  write(stored: Buffer, origin: ResultOrigin, wanted: WantedText): Promise<Buffer>;
  close(): void;
}

/**
 * Serialising a result of this size, some 20 s of speech, is faster than passing it to the process.
 */
const smallBytes = 32_768;

export function createResultWriter(
  options: Pick<ProcessQueueOptions, 'deadlineMs'> = {},
): ResultWriter {
  const queue = createProcessQueue<WriteRequest, WrittenHead, Uint8Array>({
    script: new URL('./writer-child.ts', import.meta.url),
    // A result was written by the service's own workers, and its caller has been charged for it.
    maxLate: 2,
    ...options,
  });
  return {
    write: async (stored, origin, wanted) => {
      if (stored.length <= smallBytes) return Buffer.from(writeResult(stored, origin, wanted));
      const { organizationId } = origin;
      // A synchronous answer goes before the lines of a batch.
      const priority = wanted.kind === 'line' ? 1 : 0;
      const request = { origin, wanted };
      const job = { organizationId, priority, blocks: [stored], request };
      const { head, pieces } = await queue.run(job).catch(toServiceError);
      if (head.kind === 'written') return Buffer.concat(pieces);
      throw new Error(`the result cannot be written: ${head.reason}`);
    },
    close: () => queue.close(),
  };
}

function toServiceError(cause: unknown): never {
  if (!(cause instanceof ProcessLost)) throw cause;
  const text = 'The result could not be written now; try again.';
  throw new ServiceError('not_ready', text, { cause, retryAfterSeconds: 1 });
}
