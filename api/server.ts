// The HTTP server around the app: time limits, early refusals, and what breaks before Koa.
import { createServer, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';
import { ServiceError } from '../models/errors.ts';
import type { RequestState } from './dependencies.ts';
import { refuseSocket } from './wire/raw-refusal.ts';

const headersTimeoutMs = 20_000;
const keepAliveTimeoutMs = 65_000;

export function createHttpServer(app: Koa<RequestState>): Server {
  const handle = app.callback();
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      // Uploads have their own clock (api/upload/deadlines.ts), which answers with the envelope.
      requestTimeout: 0,
      connectionsCheckingInterval: 2_000,
    },
    (request, response) => void handle(request, response),
  );
  // Without this Node would invite the body before anybody has looked at the headers.
  server.on('checkContinue', (request, response) => void handle(request, response));
  server.on('clientError', refuseBrokenRequest);
  return server;
}

/** Requests that HTTP itself refuses: broken, too large or too slow headers. */
function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const refusal =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? new ServiceError('upload_timeout', 'The request headers came too slowly.')
      : new ServiceError('invalid_field', 'The request is not readable HTTP/1.1.');
  refuseSocket(socket, refusal);
}
