// The HTTP server around the app: timeouts, early errors, and requests that never reach Koa.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';
import { ServiceError } from '../../models/contract/errors.ts';
import { defaultConnectionLimits, limitConnections, type ConnectionLimits } from './connections.ts';
import { inTurn } from './pipelining.ts';
import type { RequestState } from './request-state.ts';
import { originForm } from './request-target.ts';
import { defaultReadingLimits, endSlowReaders } from './slow-readers.ts';
import { rejectSocket } from './raw-error-response.ts';
import { streamOfUrl } from '../../models/contract/streams.ts';

const headersTimeoutMs = 20_000;
const keepAliveTimeoutMs = 65_000;
const maxHeaderBytes = 16_384;

export interface ServerOptions {
  readonly connections?: ConnectionLimits;
}

export function createHttpServer(
  app: Koa<RequestState>,
  { connections = defaultConnectionLimits }: ServerOptions = {},
): Server {
  const handle = app.callback();
  const listen = inTurn((request, response) => {
    const target = originForm(request.url ?? '/');
    if (target === null) {
      const message = 'The target of the request is neither a path nor an http address.';
      rejectSocket(request.socket, new ServiceError('invalid_field', message));
      return;
    }
    request.url = target;
    void handle(request, response);
  });
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      maxHeaderSize: maxHeaderBytes,
      // Uploads have their own deadlines (api/http/deadlines.ts), which answer with the envelope.
      requestTimeout: 0,
      connectionsCheckingInterval: 2_000,
      // Node's own error response has no envelope, so the app checks the header.
      requireHostHeader: false,
      shouldUpgradeCallback: isStreamRequest,
    },
    listen,
  );
  // Without these listeners Node would request the body before the headers are checked.
  server.on('checkContinue', listen);
  server.on('checkExpectation', listen);
  server.on('connect', (_request, socket) => {
    const message = 'CONNECT is not allowed: this server is not a proxy.';
    const allow = 'GET, HEAD, POST, DELETE';
    rejectSocket(socket, new ServiceError('method_not_allowed', message), {
      headers: { Allow: allow },
    });
  });
  server.on('clientError', rejectMalformedRequest);
  limitConnections(server, connections);
  endSlowReaders(server, defaultReadingLimits);
  return server;
}

/** Any other upgrade is ignored, and the request is answered without it. */
function isStreamRequest({ method, url = '', headers }: IncomingMessage): boolean {
  if (method !== 'GET' || headers.host === undefined) return false;
  return headers.upgrade?.toLowerCase() === 'websocket' && streamOfUrl(url) !== null;
}

/**
 * Errors that Node's parser raises: malformed, too large or too slow headers. It raises them
 * again for each further block, and a reset would lose the answer that is on its way.
 */
function rejectMalformedRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (socket.writableEnded) return;
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  rejectSocket(socket, malformedRequest(error.code));
}

function malformedRequest(code: string | undefined): ServiceError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ServiceError('upload_timeout', 'The request headers came too slowly.');
    case 'HPE_HEADER_OVERFLOW': {
      const message = `The request headers may have ${maxHeaderBytes} bytes; more were sent.`;
      return new ServiceError('headers_too_large', message);
    }
    default:
      return new ServiceError('invalid_field', 'The request is not valid HTTP/1.1.');
  }
}
