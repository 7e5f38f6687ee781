// A client of the file endpoints: one request per recording, repeated with the same id until it is
// answered or rejected.
import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { shapePaths, sharedTaskPaths } from '../../models/contract/tasks.ts';
import { retryDelayMs } from './retries.ts';

/** The command line's tasks and their paths. */
export const taskPaths = { ...sharedTaskPaths, proficiency: shapePaths.proficiency };
export type ClientTask = keyof typeof taskPaths;

export interface AnalysisRequest {
  readonly task: ClientTask;
  /** Form fields besides the file. */
  readonly fields: Readonly<Record<string, string>>;
}

export interface ServiceAddress {
  readonly base: string;
  readonly key: string;
}

/** The service rejected the recording, or did not answer in time. */
export class AnalysisFailed extends Error {
  override readonly name = 'AnalysisFailed';
  readonly code: string;
  /** True when the same recording would be rejected again. */
  readonly final: boolean;

  constructor(code: string, message: string, final: boolean) {
    super(message);
    this.code = code;
    this.final = final;
  }
}

/** @throws AnalysisFailed, or the signal's reason */
export async function analyzeFile(
  address: ServiceAddress,
  path: string,
  { task, fields }: AnalysisRequest,
  signal?: AbortSignal,
): Promise<object> {
  const body = new FormData();
  for (const [field, value] of Object.entries(fields)) body.set(field, value);
  body.set('file', await openAsBlob(path), basename(path));
  const headers = { 'X-Request-ID': randomUUID() };
  const init = { method: 'POST', headers, body, ...(signal && { signal }) };
  return callService(address, taskPaths[task], init);
}

/**
 * Sends a request and repeats it until it is answered or rejected.
 * @throws AnalysisFailed, or the signal's reason
 */
export async function callService(
  { base, key }: ServiceAddress,
  path: string,
  init: RequestInit,
): Promise<object> {
  const headers = { ...(init.headers as object), Authorization: `Bearer ${key}` };
  const signal = init.signal ?? undefined;
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await send(base + path, { ...init, headers });
    if ('result' in outcome) return outcome.result;
    const delay = retryDelayMs(outcome, attempt);
    if (delay === null) {
      const final = outcome.status >= 400 && outcome.status < 500;
      throw new AnalysisFailed(outcome.code, outcome.message, final);
    }
    await sleep(delay, null, { ...(signal && { signal }) });
  }
}

interface FailedCall {
  /** 0 when there was no answer. */
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly retryAfterSeconds: number | null;
}

/** One attempt. @throws only the signal's reason */
async function send(
  url: string,
  init: RequestInit,
): Promise<{ readonly result: object } | FailedCall> {
  try {
    const response = await fetch(url, init);
    const body = (await response.json()) as { readonly error?: { code: string; message: string } };
    if (response.ok) return { result: body };
    const { status, headers } = response;
    const retryAfterSeconds = Number(headers.get('retry-after')) || null;
    const { code = 'unknown', message = `the service answered ${status}` } = body.error ?? {};
    return { status, code, message, retryAfterSeconds };
  } catch (error) {
    if (init.signal?.aborted) throw init.signal.reason;
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    const message = `no answer from ${new URL(url).origin}: ${String(cause)}`;
    return { status: 0, code: 'unreachable', message, retryAfterSeconds: null };
  }
}
