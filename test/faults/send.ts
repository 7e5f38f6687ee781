// A transcription request of the fault tests, and its answer: in a word, or checked as a whole.
import { createHash } from 'node:crypto';
import type { History, Operation } from './history.ts';
import { postRecording, type Reply, type Sent } from './post-recording.ts';

/** `200`, status and code of an error, or `cut off` when no complete answer arrived. */
export async function send(base: string, sent: Sent): Promise<string> {
  const reply = await postRecording(base, sent);
  return reply ? wordOf(reply) : 'cut off';
}

export interface Recorded {
  readonly operation: Operation;
  /** From Retry-After; 0 without the header. */
  readonly retryAfterSeconds: number;
}

/** Sends it and records the outcome in the history. */
export async function sendRecorded(base: string, sent: Sent, history: History): Promise<Recorded> {
  const t0 = history.begin();
  const reply = await postRecording(base, sent);
  const operation: Operation = {
    id: sent.id,
    sha256: sha256Of(sent.file),
    t0,
    t1: history.now(),
    outcome: outcomeOf(reply),
    answer: reply ? wordOf(reply) : 'cut off',
    result: reply?.status === 200 ? hashOf(reply.body) : null,
    flaw: reply ? flawOf(reply, sent.id) : null,
  };
  history.add(operation);
  const retryAfterSeconds = Number(reply?.headers['retry-after'] ?? 0);
  return { operation, retryAfterSeconds };
}

const hashes = new WeakMap<Buffer, string>();

function sha256Of(file: Buffer): string {
  const hash = hashes.get(file) ?? createHash('sha256').update(file).digest('hex');
  hashes.set(file, hash);
  return hash;
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
  if (headers['x-request-id'] !== id) return 'X-Request-ID is another one';
  if (status === 200) return null;
  if (!body.error?.code) return 'no envelope';
  if (body.error.request_id !== id) return 'the envelope has another request id';
  if (status === 500) return 'an internal error';
  const asks = passing.test(body.error.code);
  return asks && !(Number(headers['retry-after']) >= 1) ? 'no Retry-After' : null;
}

const newInEveryRun: readonly string[] = ['id', 'request_id', 'inference_ms'];

function hashOf(body: Reply['body']): string {
  const lasting = Object.entries(body).filter(([name]) => !newInEveryRun.includes(name));
  return createHash('sha256').update(JSON.stringify(lasting)).digest('hex');
}
