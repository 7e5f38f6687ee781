// Parses large batch bodies in a child process (api/offload).
import type { RequestedItem } from '../../models/contract/batch-item.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import {
  createProcessQueue,
  HeapExceeded,
  ProcessLost,
  type ProcessQueueOptions,
} from '../offload/process-queue.ts';
import { parseBatch, tooComplex, type ParsedBatch } from './parse-batch.ts';
import type { ParsedHead } from './parser-child.ts';

export interface BatchParser {
  /**
   * @param body in blocks, because joining them would block the event loop
   * @throws ServiceError as `parseBatch` does, 503 not_ready
   */
  parse(organizationId: string, body: readonly Buffer[]): Promise<ParsedBatch>;
  close(): void;
}

/** A smaller body is parsed faster here than it is sent to the child and back. */
const smallBytes = 32_768;

export function createBatchParser(
  options: Pick<ProcessQueueOptions, 'maxHeapMebibytes' | 'deadlineMs'> = {},
): BatchParser {
  const queue = createProcessQueue<null, ParsedHead, readonly RequestedItem[]>({
    script: new URL('./parser-child.ts', import.meta.url),
    // A body that takes too long may be the reason itself.
    maxLate: 1,
    ...options,
  });
  return {
    parse: async (organizationId, body) => {
      const bytes = body.reduce((sum, { length }) => sum + length, 0);
      if (bytes <= smallBytes) return parseBatch(Buffer.concat(body));
      const job = { organizationId, priority: 0, blocks: body, request: null };
      const { head, pieces } = await queue.run(job).catch(toServiceError);
      if (head.kind === 'parsed') {
        const { kind: _, ...parsed } = head;
        return { ...parsed, items: pieces.flat() };
      }
      throw new ServiceError(head.code, head.message, { param: head.param ?? undefined });
    },
    close: () => queue.close(),
  };
}

function toServiceError(cause: unknown): never {
  if (cause instanceof HeapExceeded) throw tooComplex(cause);
  if (cause instanceof ProcessLost) {
    const text = 'The body could not be parsed now; send it again.';
    throw new ServiceError('not_ready', text, { cause, retryAfterSeconds: 1 });
  }
  throw cause;
}
