// Sends requests and repeats them, under the same id, until they are answered or rejected.
import { defaultRetryLimits, repetitionAfter, retryDelayMs, type RetryLimits } from './retries.ts';
import {
  errorOfResponse,
  SpeechServiceError,
  unreadableCode,
  withoutJson,
} from './service-error.ts';
import { sleep } from './sleep.ts';

export interface TransportOptions {
  /** Address of the service, such as `http://127.0.0.1:8080`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly retries?: Partial<RetryLimits>;
  /**
   * For one attempt, to the end of its answer; default 330 s, as the service takes 300. Infinity
   * for no limit.
   */
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
}

export interface RequestBody {
  readonly content: string | Blob | ReadableStream<Uint8Array>;
  readonly contentType?: string;
  /** What its source threw while it was sent; null for nothing. */
  readonly failure?: () => { readonly cause: unknown } | null;
}

/** Options of every call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface ServiceRequest extends CallOptions {
  readonly path: string;
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  /** Doing it twice is not doing it once: after a lost answer or a failure it is not sent again. */
  readonly isOnce?: true;
  /** Its answer is given once, long before its end: what is in progress is not waited for. */
  readonly outlivesAnswer?: true;
  /** The answer of a repetition that finds nothing: the attempt that seemed to fail deleted it. */
  readonly ifGone?: object;
  /** Called for each attempt, because a stream is read once. */
  readonly body?: () => RequestBody;
  /** The header that identifies the work, so that a repetition is no second piece of it. */
  readonly id?: {
    readonly header: 'X-Request-ID' | 'Idempotency-Key';
    /** The caller's; by default a new one for each request. */
    readonly value?: string;
  };
}

export interface Transport {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** @throws SpeechServiceError, the signal's reason, or what the source of the body threw */
  json<Body>(request: ServiceRequest): Promise<Body>;
  /** @throws as `json` does */
  text(request: ServiceRequest): Promise<string>;
  /** The value of JSON, or the string of a plain text. @throws as `json` does */
  jsonOrText<Body>(request: ServiceRequest): Promise<Body>;
  /** The answer as it begins; its body is the caller's to read. @throws as `json` does */
  open(request: ServiceRequest): Promise<Response>;
}

const defaultTimeoutMs = 330_000;
/** 24 days: a timer that is set for longer ends at once. */
const longestTimerMs = 2 ** 31 - 1;

export function createTransport(options: TransportOptions): Transport {
  // A key that is read from a file may have the file's last line break.
  const apiKey = options.apiKey.trim();
  if (!/^https?:/.test(options.baseUrl) || !URL.canParse(options.baseUrl))
    throw new Error(`baseUrl must be an http or https URL, got "${options.baseUrl}"`);
  requireVisible('apiKey', apiKey);
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const givenLimits = { ...defaultRetryLimits, ...options.retries };
  const call = async <Answer>(
    request: ServiceRequest,
    read: (response: Response) => Promise<Answer>,
  ): Promise<Answer> => {
    // Each repetition of the work would get an id of its own.
    if (request.id?.value !== undefined) requireVisible(request.id.header, request.id.value);
    const limits = request.isOnce ? { ...givenLimits, maxFailures: 0 } : givenLimits;
    let id = request.id?.value ?? crypto.randomUUID();
    const repetitions = { failures: 0, waits: 0 };
    for (;;) {
      const outcome = await attemptOnce({ ...options, baseUrl, apiKey }, { request, id, read });
      if (!(outcome instanceof SpeechServiceError)) return outcome.answer;
      if (request.ifGone && repetitions.failures > 0 && outcome.code === 'not_found')
        return request.ifGone as Answer;
      const delay = retryDelayMs(outcome, { repetitions, limits });
      const isUsedUp = outcome.code === 'model_busy';
      const isLost = request.outlivesAnswer && outcome.code === 'request_in_progress';
      if (delay === null || isLost || (isUsedUp && request.id?.value !== undefined)) throw outcome;
      if (isUsedUp) id = crypto.randomUUID();
      repetitions[repetitionAfter(outcome)] += 1;
      await sleep(delay, request.signal);
    }
  };
  return {
    baseUrl,
    apiKey,
    json: <Body>(request: ServiceRequest) => call(request, jsonOf<Body>),
    jsonOrText: <Body>(request: ServiceRequest) =>
      call(request, (response) =>
        isText(response) ? (response.text() as Promise<Body>) : jsonOf<Body>(response),
      ),
    text: (request) => call(request, (response) => response.text()),
    open: (request) => call(request, (response) => Promise.resolve(response)),
  };
}

/** Other text does not fit into a header. @throws for such a text */
function requireVisible(name: string, text: string): void {
  if (text === '') throw new Error(`${name} must not be empty`);
  if (!/^[!-~]+$/.test(text)) throw new Error(`${name} must be visible ASCII characters`);
}

function isText({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/plain') === true;
}

/** @throws SpeechServiceError for a body that is no JSON, such as a proxy's page */
async function jsonOf<Body>(response: Response): Promise<Body> {
  const text = await response.text();
  try {
    return JSON.parse(text) as Body;
  } catch (cause) {
    throw withoutJson(response, cause);
  }
}

/** A body of JSON. */
export function jsonBody(value: unknown): () => RequestBody {
  const content = JSON.stringify(value);
  return () => ({ content, contentType: 'application/json' });
}

interface Attempt<Answer> {
  readonly request: ServiceRequest;
  readonly id: string;
  readonly read: (response: Response) => Promise<Answer>;
}

/**
 * @throws the signal's reason, what the source of the body threw, or SpeechServiceError for a
 * recording that cannot be sent again
 */
async function attemptOnce<Answer>(
  options: TransportOptions,
  { request, id, read }: Attempt<Answer>,
): Promise<{ readonly answer: Answer } | SpeechServiceError> {
  const { baseUrl, apiKey, timeoutMs = defaultTimeoutMs } = options;
  const { path, method = 'GET', headers, signal } = request;
  signal?.throwIfAborted();
  const body = request.body?.();
  const stop = new AbortController();
  const late = (): void => stop.abort(new Error(`no answer in ${timeoutMs} ms`));
  const timer = setTimeout(late, Math.min(timeoutMs, longestTimerMs));
  const init = {
    method,
    headers: {
      ...headers,
      Authorization: `Bearer ${apiKey}`,
      ...(body?.contentType && { 'Content-Type': body.contentType }),
      ...(request.id && { [request.id.header]: id }),
    },
    ...(body && { body: body.content }),
    // Without it `fetch` rejects a body that is a stream.
    ...(body?.content instanceof ReadableStream && { duplex: 'half' as const }),
    // The body of an answer that is read later still ends with the caller's signal.
    signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal,
  };
  try {
    const response = await (options.fetch ?? fetch)(baseUrl + path, init);
    return response.ok ? { answer: await read(response) } : await errorOfResponse(response);
  } catch (cause) {
    signal?.throwIfAborted();
    const failure = body?.failure?.();
    if (failure) throw failure.cause;
    if (cause instanceof SpeechServiceError) return cause;
    const reason = cause instanceof Error ? (cause.cause ?? cause) : cause;
    if (isOfRecording(reason)) {
      const why = 'it changed or went away while it was sent';
      throw new SpeechServiceError(why, { status: 0, code: unreadableCode }, { cause });
    }
    const message = `no answer from ${new URL(baseUrl).origin}: ${String(reason)}`;
    return new SpeechServiceError(message, { status: 0, code: 'unreachable' }, { cause });
  } finally {
    clearTimeout(timer);
  }
}

/** A file that has another length or time of change than when it was opened, or is gone. */
function isOfRecording(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'NotReadableError';
}
