// A transcription request of the fault tests, and its answer: in a word, or checked as a whole.
import { createHash } from 'node:crypto';
import type { History, Operation } from './history.ts';

export interface Sent {
  readonly key: string;
  readonly id: string;
  readonly file: Buffer;
  readonly model?: string;
}

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    readonly error?: { readonly code?: string; readonly request_id?: string };
    readonly [name: string]: unknown;
  };
}

/** `200`, status and code of an error, or `cut off` when no complete answer arrived. */
export async function send(base: string, sent: Sent): Promise<string> {
  const reply = await post(base, sent);
  return reply ? wordOf(reply) : 'cut off';
}

export interface Recorded {
  readonly operation: Operation;
  /** From Retry-After; 0 without the header. */
  readonly retryAfterSeconds: number;
}

/** Sends it and records the outcome in the history. */
export async function sendRecorded(base: string, sent: Sent, history: History): Promise<Recorded> {
  const t0 = history.now();
  const reply = await post(base, sent);
  const operation: Operation = {
    id: sent.id,
    sha256: createHash('sha256').update(sent.file).digest('hex'),
    t0,
    t1: history.now(),
    outcome: outcomeOf(reply),
    answer: reply ? wordOf(reply) : 'cut off',
    result: reply?.status === 200 ? hashOf(reply.body) : null,
    flaw: reply ? flawOf(reply, sent.id) : null,
  };
  history.add(operation);
  const retryAfterSeconds = Number(reply?.headers.get('retry-after') ?? 0);
  return { operation, retryAfterSeconds };
}

async function post(base: string, { key, id, file, model }: Sent): Promise<Reply | null> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(file)]), 'call.wav');
  if (model) form.set('model', model);
  try {
    return await replyOf(
      await fetch(`${base}/v1/audio/transcriptions`, {
        method: 'POST',
        body: form,
        headers: { Authorization: `Bearer ${key}`, 'X-Request-ID': id },
      }),
    );
  } catch {
    return null;
  }
}

/** A body that is not JSON is an answer too, and the defect is recorded. */
async function replyOf(response: Response): Promise<Reply> {
  const { status, headers } = response;
  const text = await response.text();
  try {
    return { status, headers, body: JSON.parse(text) as Reply['body'] };
  } catch {
    return { status, headers, body: {} };
  }
}

function wordOf({ status, body }: Reply): string {
  return status === 200 ? '200' : `${status} ${body.error?.code ?? 'without envelope'}`;
}

function outcomeOf(reply: Reply | null): Operation['outcome'] {
  if (!reply || reply.status >= 500 || reply.body.error?.code === 'request_in_progress') {
    return 'unknown';
  }
  return reply.status === 200 ? 'ok' : 'fail';
}

/** Codes that ask for a retry, and so have to say when. */
const passing = /^(rate_limited|upload_busy|model_busy|not_ready|setup_unconfirmed)$/;

function flawOf({ status, headers, body }: Reply, id: string): string | null {
  if (headers.get('x-request-id') !== id) return 'X-Request-ID is another one';
  if (status === 200) return null;
  if (!body.error?.code) return 'no envelope';
  if (body.error.request_id !== id) return 'the envelope has another request id';
  if (status === 500) return 'an internal error';
  const asks = passing.test(body.error.code);
  return asks && !(Number(headers.get('retry-after')) >= 1) ? 'no Retry-After' : null;
}

const newInEveryRun: readonly string[] = ['id', 'request_id', 'inference_ms'];

function hashOf(body: Reply['body']): string {
  const lasting = Object.entries(body).filter(([name]) => !newInEveryRun.includes(name));
  return createHash('sha256').update(JSON.stringify(lasting)).digest('hex');
}
