// Batches: many recordings, analysed in the background.
import { inQuery, keyedBy, type KeyedCall, type PageOptions } from './call-options.ts';
import { eventsOf, linesOf } from './lines.ts';
import type {
  Batch,
  BatchItem,
  BatchList,
  BatchRequest,
  BatchResult,
  Deleted,
  ExportFormat,
  ItemList,
} from './schemas.ts';
import { SpeechServiceError } from './service-error.ts';
import { sleep } from './sleep.ts';
import { jsonBody, type CallOptions, type Transport } from './transport.ts';

export interface ItemPage extends PageOptions {
  readonly status?: BatchItem['status'];
}

export interface WaitOptions extends CallOptions {
  /** Called with the batch after each look at it. */
  readonly onProgress?: (batch: Batch) => void;
  /** Milliseconds between two looks; default 1 s. */
  readonly pollMs?: number;
}

export interface Batches {
  create(order: BatchRequest, options?: KeyedCall): Promise<Batch>;
  list(page?: PageOptions): Promise<BatchList>;
  read(id: string, call?: CallOptions): Promise<Batch>;
  items(id: string, page?: ItemPage): Promise<ItemList>;
  /** Results of the items that have ended, in their order; continued when the connection breaks. */
  results(id: string, call?: CallOptions): AsyncGenerator<BatchResult, undefined>;
  /** One item's result in another format. */
  export(id: string, index: number, format: ExportFormat, call?: CallOptions): Promise<string>;
  /** The batch whenever it has changed, until it has ended; reconnects. */
  events(id: string, call?: CallOptions): AsyncGenerator<Batch, undefined>;
  /** The batch once it has ended, whether its items were completed or not. */
  wait(id: string, options?: WaitOptions): Promise<Batch>;
  cancel(id: string, call?: CallOptions): Promise<Batch>;
  /** Deletes an ended batch with its results and files. */
  remove(id: string, call?: CallOptions): Promise<Deleted>;
}

const path = '/v1/batches';
const defaultPollMs = 1_000;
/** Broken connections in a row, none of which brought anything. */
const maxBrokenConnections = 4;

/** True once nothing of the batch changes any more. */
export function hasEnded({ status }: Batch): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

export function createBatches(transport: Transport): Batches {
  const at = (id: string): string => `${path}/${encodeURIComponent(id)}`;
  const batches: Batches = {
    create: (order, options) =>
      transport.json({ method: 'POST', path, body: jsonBody(order), ...keyedBy(options) }),
    list: ({ signal, ...page } = {}) =>
      transport.json({ path: path + inQuery(page), ...(signal && { signal }) }),
    read: (id, call) => transport.json({ path: at(id), ...call }),
    items: (id, { signal, ...page } = {}) =>
      transport.json({ path: `${at(id)}/items${inQuery(page)}`, ...(signal && { signal }) }),
    results: (id, call) => {
      const seen = new Set<number>();
      return continued<BatchResult>(call?.signal, async function* () {
        const response = await transport.open({ path: `${at(id)}/results`, ...call });
        for await (const line of linesOf(response)) {
          const result = JSON.parse(line) as BatchResult;
          if (seen.has(result.index)) continue;
          seen.add(result.index);
          yield result;
        }
        return true;
      });
    },
    export: (id, index, format, call) =>
      transport.text({ path: `${at(id)}/items/${index}/export?format=${format}`, ...call }),
    events: (id, call) =>
      continued<Batch>(call?.signal, async function* () {
        const response = await transport.open({ path: `${at(id)}/events`, ...call });
        for await (const data of eventsOf(response, 'batch')) {
          const batch = JSON.parse(data) as Batch;
          yield batch;
          if (hasEnded(batch)) return true;
        }
        return false;
      }),
    wait: async (id, { onProgress, pollMs = defaultPollMs, ...call } = {}) => {
      for (;;) {
        const batch = await batches.read(id, call);
        onProgress?.(batch);
        if (hasEnded(batch)) return batch;
        await sleep(pollMs, call.signal);
      }
    },
    cancel: (id, call) => transport.json({ method: 'POST', path: `${at(id)}/cancel`, ...call }),
    remove: (id, call) => {
      const ifGone: Deleted = { id, object: 'batch', deleted: true };
      return transport.json({ method: 'DELETE', path: at(id), ifGone, ...call });
    },
  };
  return batches;
}

/**
 * What connections bring, one after the other, until one says that it was all.
 * @throws SpeechServiceError when it is rejected, or several connections in a row brought nothing
 */
async function* continued<Value>(
  signal: AbortSignal | undefined,
  connect: () => AsyncGenerator<Value, boolean>,
): AsyncGenerator<Value, undefined> {
  for (let broken = 0; ; broken += 1) {
    if (broken > maxBrokenConnections) {
      const message = 'the connection broke before the answer was complete';
      throw new SpeechServiceError(message, { status: 0, code: 'unreachable' });
    }
    if (broken > 0) await sleep(defaultPollMs, signal);
    const connection = connect();
    try {
      for (;;) {
        const { done, value } = await connection.next();
        if (done && value) return undefined;
        if (done) break;
        yield value;
        broken = 0;
      }
    } catch (error) {
      signal?.throwIfAborted();
      // A rejection, or a service that the transport has tried to reach in vain.
      if (error instanceof SpeechServiceError) throw error;
    } finally {
      await connection.return(true);
    }
  }
}
