// An error as a whole HTTP/1.1 answer, for sockets that no Koa handler has.
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ServiceError } from '../../models/contract/errors.ts';
import { headersOf, toEnvelope } from './errors.ts';

/** A peer gets so long to read the answer and to close its side. */
const lingerMs = 1_000;

/** Writes the envelope and closes: the socket is gone after a second, whatever the peer does. */
export function rejectSocket(
  socket: Duplex,
  error: ServiceError,
  requestId: string = randomUUID(),
): void {
  const body = JSON.stringify(toEnvelope(error, requestId));
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-ID: ${requestId}`,
    'X-Content-Type-Options: nosniff',
    ...Object.entries(headersOf(error)).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  endGracefully(socket, `${head.join('\r\n')}\r\n\r\n${body}`);
}

/**
 * Ends a socket after what is still to be written. A peer that never closes its side would keep it
 * half open for as long as it likes.
 */
export function endGracefully(socket: Duplex, last?: string): void {
  socket.on('error', () => {});
  const late = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(late));
  // Closing over bytes that nobody has read would reset the connection, and the answer with it.
  socket.resume();
  socket.end(last);
}
