// An HTTP server whose answers a test writes: what clients do when a service fails.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Cleanup } from './cleanup.ts';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON. */
  readonly body?: string | object;
  /** The connection ends after the body, as if it had broken; without a body, at once. */
  readonly breaks?: boolean;
}

/** Gives the answers in turn, the last one again and again. */
export async function scriptedServer(
  t: Cleanup,
  answers: readonly ScriptedAnswer[],
): Promise<{ readonly baseUrl: string; readonly received: readonly ReceivedRequest[] }> {
  const received: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { status = 200, headers, body, breaks } = answers[received.length] ?? answers.at(-1)!;
      const { method = '', url: path = '', headers: sent } = request;
      received.push({ method, path, headers: sent, body: Buffer.concat(parts) });
      if (breaks && body === undefined) {
        request.socket.destroy();
        return;
      }
      response.writeHead(status, headers);
      const text = typeof body === 'object' ? JSON.stringify(body) : (body ?? '');
      if (breaks) response.write(text, () => request.socket.destroy());
      else response.end(text);
    });
  });
  // A client in a process that stalls uses a connection again that it has left idle for seconds.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

/** The service's error envelope. */
export function failure(
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): ScriptedAnswer {
  const error = { type: 'any', code, message: `It is ${code}.`, param: null, request_id: 'r-1' };
  return { status, headers, body: { error } };
}
