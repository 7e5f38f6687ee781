// Files and batches as a client sends and reads them.
import { setTimeout as sleep } from 'node:timers/promises';
import type { BatchBody } from '../../api/batches/schemas.ts';
import type { FileBody } from '../../api/files/schemas.ts';
import type { BatchResultBody } from '../../api/results/line-schemas.ts';
import { postFile, type Answer, type TestStack } from './stack.ts';

type Service = Pick<TestStack, 'base' | 'account'>;

export interface CallOptions {
  readonly method?: string;
  readonly body?: unknown;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One JSON request. */
export async function call(
  { base, account }: Service,
  path: string,
  { method = 'GET', body, key = account.key, headers = {} }: CallOptions = {},
): Promise<Answer> {
  const response = await fetch(base + path, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

export async function uploadFile(service: Service, file: Buffer): Promise<string> {
  const { status, body } = await postFile(service, '/v1/files', { file });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return (body as FileBody).id;
}

export interface BatchOrder {
  readonly task?: string;
  readonly options?: object;
  readonly webhook?: { readonly url: string };
  readonly headers?: Readonly<Record<string, string>>;
}

/** A batch of one item per file; `custom_id` is its index. */
export async function startBatch(
  service: Service,
  fileIds: readonly string[],
  { task = 'transcription', options = {}, webhook, headers = {} }: BatchOrder = {},
): Promise<BatchBody> {
  const items = fileIds.map((fileId, i) => ({ custom_id: `item-${i}`, file_id: fileId }));
  const body = { task, options, items, ...(webhook && { webhook }) };
  const answer = await call(service, '/v1/batches', { method: 'POST', body, headers });
  if (answer.status !== 202) throw new Error(JSON.stringify(answer.body));
  return answer.body as BatchBody;
}

export async function readBatch(service: Service, id: string): Promise<BatchBody> {
  const { status, body } = await call(service, `/v1/batches/${id}`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body as BatchBody;
}

/** No machine takes so long for an item. */
const stalledMs = 600_000;

/** Polls until the batch is as wanted. @throws when no item more has ended for long */
export async function untilBatch(
  service: Service,
  id: string,
  wanted: (batch: BatchBody) => boolean = ({ completed_at: done }) => done !== null,
): Promise<BatchBody> {
  let ended = -1;
  let end = 0;
  for (;;) {
    const batch = await readBatch(service, id).catch(() => null);
    if (batch && wanted(batch)) return batch;
    const { completed = 0, failed = 0, cancelled = 0 } = batch?.request_counts ?? {};
    if (completed + failed + cancelled > ended) {
      ended = completed + failed + cancelled;
      end = performance.now() + stalledMs;
    }
    if (performance.now() > end) throw new Error(`batch: ${JSON.stringify(batch)}`);
    await sleep(100);
  }
}

export async function readResults(
  { base, account }: Service,
  id: string,
): Promise<readonly BatchResultBody[]> {
  const headers = { Authorization: `Bearer ${account.key}` };
  const response = await fetch(`${base}/v1/batches/${id}/results`, { headers });
  const text = await response.text();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as BatchResultBody);
}
