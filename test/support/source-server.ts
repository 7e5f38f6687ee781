// A server that holds recordings: what it does with each request is up to the test.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Cleanup } from './cleanup.ts';

export interface SourceServer {
  /** `http://127.0.0.1:PORT` */
  readonly base: string;
  readonly requests: readonly IncomingMessage[];
}

/** @param serve gets the number of the request, from 0 */
export async function sourceServer(
  t: Cleanup,
  serve: (request: IncomingMessage, response: ServerResponse, index: number) => void,
): Promise<SourceServer> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    response.on('error', () => {});
    requests.push(request);
    serve(request, response, requests.length - 1);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

export interface ServedFile {
  readonly bytes: Buffer;
  readonly etag?: string;
  /** The connection is broken after this many bytes of the answer. */
  readonly breakAfter?: number;
}

/** Answers as a server of files does, ranges included. */
export function serveFile(
  { headers }: IncomingMessage,
  response: ServerResponse,
  { bytes, etag, breakAfter }: ServedFile,
): void {
  const [, first] = /^bytes=(\d+)-$/.exec(headers.range ?? '') ?? [];
  const isRange = first !== undefined && etag !== undefined && headers['if-range'] === etag;
  const start = isRange ? Number(first) : 0;
  const part = bytes.subarray(start);
  response.writeHead(isRange ? 206 : 200, {
    'content-length': part.length,
    ...(etag && { etag }),
    ...(isRange && { 'content-range': `bytes ${start}-${bytes.length - 1}/${bytes.length}` }),
  });
  if (breakAfter === undefined) response.end(part);
  else response.write(part.subarray(0, breakAfter), () => response.socket?.destroy());
}
