// Writes an error as a complete HTTP/1.1 response to a socket that Koa does not handle.
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ServiceError } from '../../models/contract/errors.ts';
import { headersOf, toEnvelope } from './errors.ts';

/** Time that a peer has to read the response and to close its side. */
const lingerMs = 1_000;

interface AnswerHeaders {
  /** By default a new one. */
  readonly requestId?: string | undefined;
  /** Beside those of every error. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Writes the envelope and closes the socket within a second, whatever the peer does. */
export function rejectSocket(
  socket: Duplex,
  error: ServiceError,
  { requestId = randomUUID(), headers = {} }: AnswerHeaders = {},
): void {
  const body = JSON.stringify(toEnvelope(error, requestId));
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-ID: ${requestId}`,
    'X-Content-Type-Options: nosniff',
    ...Object.entries({ ...headers, ...headersOf(error) }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    'Connection: close',
  ];
  endGracefully(socket, `${head.join('\r\n')}\r\n\r\n${body}`);
}

/**
 * Ends a socket after its pending output. A peer that never closes its side could keep it half open
 * otherwise.
 */
export function endGracefully(socket: Duplex, last?: string): void {
  socket.on('error', () => {});
  const late = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(late));
  // Closing with unread input would reset the connection, and the response would be lost.
  socket.resume();
  socket.end(last);
}
