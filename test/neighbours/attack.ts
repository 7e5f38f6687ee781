// What every attack receives, and what the catalog says of it.
import { setTimeout as sleep } from 'node:timers/promises';

/** Plain data: it crosses to the attacker's process. */
export interface Target {
  /** Address of the API. */
  readonly base: string;
  /** A key of the hostile organization; its limits are those of every new key. */
  readonly key: string;
}

export interface Attack {
  readonly name: string;
  /** One sentence for the table. */
  readonly does: string;
  /** What is measured beside it: a clip, or a stream, whose event loop is another one. */
  readonly victim?: 'clip' | 'stream';
  /** What the attack reads; it is measured once that is there. */
  prepare?(target: Target, signal: AbortSignal): Promise<string>;
  /**
   * Runs until the signal; a rejection by the service is not an error of the attack.
   * @param prepared what `prepare` resolved with; empty without it
   */
  run(target: Target, signal: AbortSignal, prepared: string): Promise<void>;
}

/** Repeats `step` in so many lanes until the signal; an attacker expects failures. */
export async function storm(
  lanes: number,
  signal: AbortSignal,
  step: (lane: number) => Promise<unknown>,
): Promise<void> {
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      while (!signal.aborted) {
        await step(lane).catch(() => {});
        // An immediate rejection must not make the attacker's own process a busy loop.
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }),
  );
}

/** A multipart POST of one file; resolves with the status. */
export async function postForm(target: Target, path: string, options: FormOptions) {
  const response = await sendForm(target, path, options);
  await response.arrayBuffer();
  return response.status;
}

/** Keeps a file for batches; resolves with its id, or null when it was rejected. */
export async function postFile(target: Target, options: FormOptions): Promise<string | null> {
  const fields = { purpose: 'batch' };
  const response = await sendForm(target, '/v1/files', { ...options, fields });
  const { id } = (await response.json()) as { readonly id?: string };
  return id ?? null;
}

function sendForm(
  { base, key }: Target,
  path: string,
  { file, fields = {}, signal }: FormOptions,
): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.set('file', new Blob([new Uint8Array(file)]), 'call');
  const headers = { Authorization: `Bearer ${key}` };
  return fetch(base + path, { method: 'POST', body: form, headers, signal });
}

export interface FormOptions {
  readonly file: Buffer;
  readonly fields?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** One JSON request; resolves with the parsed answer. */
export async function requestJson(
  { base, key }: Target,
  path: string,
  { method = 'POST', body, signal }: JsonOptions,
): Promise<Record<string, unknown>> {
  const response = await fetch(base + path, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal,
  });
  return (await response.json()) as Record<string, unknown>;
}

export interface JsonOptions {
  readonly method?: string;
  readonly body?: unknown;
  readonly signal: AbortSignal;
}

export interface BatchPlan {
  readonly fileId: string;
  readonly count: number;
  readonly webhook?: string;
  readonly signal: AbortSignal;
}

/** A batch of so many items that name one file; resolves with its id. */
export async function startBatch(target: Target, plan: BatchPlan): Promise<string> {
  const { fileId, count, webhook, signal } = plan;
  const named = Array.from({ length: count }, (_, i) => ({ custom_id: `${i}`, file_id: fileId }));
  const body = {
    task: 'analysis',
    options: { diarize: true },
    items: named,
    ...(webhook !== undefined && { webhook: { url: webhook } }),
  };
  const { id } = await requestJson(target, '/v1/batches', { body, signal });
  return String(id);
}

export async function untilEnded(target: Target, id: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const path = `/v1/batches/${id}`;
    const { status } = await requestJson(target, path, { method: 'GET', signal });
    if (['completed', 'failed', 'cancelled'].includes(String(status))) return;
    await sleep(500);
  }
}
