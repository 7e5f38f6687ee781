// An error as a whole HTTP/1.1 answer, for sockets that no Koa handler has.
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ServiceError } from '../../models/errors.ts';
import { toEnvelope } from '../errors.ts';

/** Writes the envelope and closes. */
export function refuseSocket(
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
    ...(error.status === 401 ? ['WWW-Authenticate: Bearer'] : []),
    ...(error.status === 429 ? [`Retry-After: ${error.retryAfterSeconds ?? 1}`] : []),
    ...(error.status === 426 ? ['Upgrade: websocket'] : []),
    'Connection: close',
  ];
  socket.on('error', () => {});
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
