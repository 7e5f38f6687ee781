// A client of files and batches; every call is repeated until it is answered or rejected.
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { BatchBody } from '../../api/batches/schemas.ts';
import type { BatchResultBody } from '../../api/results/line-schemas.ts';
import { callService, type ServiceAddress } from './analysis-client.ts';

export interface BatchOrder {
  readonly task: string;
  readonly model?: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly items: readonly { readonly custom_id: string; readonly file_id: string }[];
}

export interface BatchClient {
  /** Returns the file's id; the same key never creates a second file. @throws AnalysisFailed */
  upload(path: string, idempotencyKey: string): Promise<string>;
  /** Returns the batch; the same key never creates a second batch. @throws AnalysisFailed */
  create(order: BatchOrder, idempotencyKey: string): Promise<BatchBody>;
  read(id: string): Promise<BatchBody>;
  /** Results of ended items, in order. */
  results(id: string): AsyncGenerator<BatchResultBody>;
  /** Deletes results and audio. */
  remove(id: string): Promise<void>;
}

/** @param signal aborts everything in progress */
export function createBatchClient(address: ServiceAddress, signal: AbortSignal): BatchClient {
  const call = (path: string, init: RequestInit = {}): Promise<object> =>
    callService(address, path, { ...init, signal });
  const json = { 'Content-Type': 'application/json' };
  return {
    async upload(path, idempotencyKey) {
      const body = new FormData();
      body.set('file', await openAsBlob(path), basename(path));
      const headers = { 'Idempotency-Key': idempotencyKey };
      return ((await call('/v1/files', { method: 'POST', body, headers })) as { id: string }).id;
    },
    async create(order, idempotencyKey) {
      const headers = { ...json, 'Idempotency-Key': idempotencyKey };
      const body = JSON.stringify(order);
      return (await call('/v1/batches', { method: 'POST', body, headers })) as BatchBody;
    },
    read: async (id) => (await call(`/v1/batches/${id}`)) as BatchBody,
    results: (id) => resultLines(address, id, signal),
    remove: async (id) => void (await call(`/v1/batches/${id}`, { method: 'DELETE' })),
  };
}

async function* resultLines(
  { base, key }: ServiceAddress,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<BatchResultBody> {
  const headers = { Authorization: `Bearer ${key}` };
  const response = await fetch(`${base}/v1/batches/${id}/results`, { headers, signal });
  if (!response.ok || !response.body) throw new Error(`results of ${id}: ${response.status}`);
  const input = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    yield JSON.parse(line) as BatchResultBody;
  }
}
