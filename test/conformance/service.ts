// The deployment under test, as its callers see it.
import assert from 'node:assert/strict';
import { openSocket, type TestSocket } from '../support/sockets.ts';
import type { Need } from './case.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** JSON, or text where the answer is text. */
  readonly body: any;
}

export interface FileRequest {
  readonly file?: Buffer | undefined;
  readonly type?: string;
  /** In order; a name may appear twice. */
  readonly fields?: readonly (readonly [string, string])[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly id?: string;
  /** null: without a key. */
  readonly key?: string | null;
}

export interface Target {
  readonly base: string;
  readonly key: string;
  readonly keys: Readonly<Partial<Record<Need, string>>>;
}

export type Service = ReturnType<typeof createService>;

export function createService({ base, key, keys }: Target) {
  const authorization = (given: string | null | undefined) =>
    given === null ? {} : { Authorization: `Bearer ${given ?? key}` };

  async function send(method: string, path: string, init: RequestInit): Promise<Answer> {
    const response = await fetch(base + path, { method, ...init });
    const text = await response.text();
    const json = /json/.test(response.headers.get('content-type') ?? '');
    return {
      status: response.status,
      headers: response.headers,
      body: json ? JSON.parse(text) : text,
    };
  }

  return {
    base,
    key,
    /** A key that the case has declared. */
    keyOf: (need: Need): string => keys[need]!,
    post(path: string, request: FileRequest): Promise<Answer> {
      const form = new FormData();
      const { file, type = '', fields = [], id, headers } = request;
      for (const [name, value] of fields) form.append(name, value);
      if (file) form.append('file', new Blob([new Uint8Array(file)], { type }), 'call');
      const named = id === undefined ? {} : { 'X-Request-ID': id };
      return send('POST', path, {
        body: form,
        headers: { ...authorization(request.key), ...named, ...headers },
      });
    },
    json(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) {
      return send('POST', path, {
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { ...authorization(undefined), 'Content-Type': 'application/json', ...headers },
      });
    },
    sendBytes: (path: string, body: Buffer, headers: Readonly<Record<string, string>>) =>
      send('POST', path, {
        body: new Uint8Array(body),
        headers: { ...authorization(undefined), ...headers },
      }),
    get: (path: string, options: { key?: string | null; headers?: Record<string, string> } = {}) =>
      send('GET', path, { headers: { ...authorization(options.key), ...options.headers } }),
    request: (method: string, path: string, headers: Readonly<Record<string, string>> = {}) =>
      send(method, path, { headers: { ...authorization(undefined), ...headers } }),
    open: (
      path: string,
      protocols: readonly string[],
      headers: Record<string, string> = {},
      withKey = true,
    ): TestSocket => openSocket(base, path, { protocols, headers, ...(withKey && { key }) }),
  };
}

/** The status and the code of the envelope, or of the first detail of Resonance-2. */
export function rejected(answer: Answer, status: number, code: string): void {
  const got = answer.body?.error?.code ?? answer.body?.detail?.[0]?.type;
  assert.equal(
    `${answer.status} ${got}`,
    `${status} ${code}`,
    JSON.stringify(answer.body)?.slice(0, 300),
  );
}

export function ok(answer: Answer): any {
  assert.equal(answer.status, 200, JSON.stringify(answer.body)?.slice(0, 300));
  return answer.body;
}
