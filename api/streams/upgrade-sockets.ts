// Upgrades to WebSocket: the handshake is validated first, then the caller; every answer has an id.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { toServiceError } from '../http/errors.ts';
import { rejectSocket } from '../http/raw-error-response.ts';
import { isRequestId } from '../../models/contract/request-id.ts';
import { chooseSubprotocol, streamOfUrl } from '../../models/contract/streams.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { StreamSocket } from './socket.ts';

export interface UpgradeOptions<Caller> {
  /** Of one message; more is never read. */
  readonly maxPayloadBytes: number;
  /** Authenticates the caller; the error that it throws is the answer. */
  readonly admit: (request: IncomingMessage) => Promise<Caller>;
  /** @param answerId id of the answer, where the caller gave none */
  readonly start: (socket: StreamSocket, caller: Caller, answerId: string) => void;
  /** Called when the client disconnected before its upgrade was answered. */
  readonly discard: (caller: Caller) => void;
  /** The id of the answer when it is not the one of the request. */
  readonly answerIdOf: (caller: Caller) => string | null;
  /** A server error is the answer. */
  readonly refused: (error: ServiceError, requestId: string | null) => void;
}

export interface UpgradedSockets {
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Ends every socket that is open. */
  readonly terminate: () => void;
}

/** Limit of one message: proxies may split a frame into fragments of a kilobyte. */
const maxFragments = 128;
/** Network reads that one frame may span. */
const maxBufferedChunks = 1_024;

export function createUpgrades<Caller>(options: UpgradeOptions<Caller>): UpgradedSockets {
  const answerIds = new WeakMap<IncomingMessage, string>();
  const callers = new WeakMap<IncomingMessage, Caller>();
  const reject = (
    request: IncomingMessage,
    socket: Duplex,
    thrown: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): void => {
    const error = toServiceError(thrown);
    const requestId = answerIds.get(request);
    if (error.status >= 500) options.refused(error, requestId ?? null);
    rejectSocket(socket, error, { requestId, headers });
  };
  const sockets = new WebSocketServer<typeof StreamSocket>({
    noServer: true,
    WebSocket: StreamSocket,
    maxPayload: options.maxPayloadBytes,
    maxFragments,
    maxBufferedChunks,
    // One message per socket in each turn of the event loop, so that a burst on one does not delay
    // others.
    allowSynchronousEvents: false,
    perMessageDeflate: false,
    handleProtocols: (offered, { url = '' }) => {
      const kind = streamOfUrl(url);
      if (kind === 'realtime') return offered.has('realtime') ? 'realtime' : false;
      return (kind && chooseSubprotocol(kind, offered)?.name) ?? false;
    },
    verifyClient({ req: request }, proceed) {
      const admitted = (caller: Caller): void => {
        callers.set(request, caller);
        answerIds.set(request, options.answerIdOf(caller) ?? answerIds.get(request)!);
        proceed(true);
        // Releases what the caller holds once the upgrade has started.
        if (callers.delete(request)) options.discard(caller);
      };
      options.admit(request).then(admitted, (error) => reject(request, request.socket, error));
    },
  });
  sockets.on('headers', (headers, request) => {
    headers.push(`X-Request-ID: ${answerIds.get(request)!}`);
  });
  sockets.on('wsClientError', ({ message }, socket, request) => {
    const error = new ServiceError('invalid_field', `${message}.`);
    // For whoever speaks another version (RFC 6455, 4.4).
    reject(request, socket, error, { 'Sec-WebSocket-Version': '13' });
  });
  return {
    upgrade(request, socket, head) {
      const given = request.headers['x-request-id'];
      answerIds.set(request, isRequestId(given) ? given : randomUUID());
      // A client may reset its connection during its own upgrade.
      socket.on('error', () => socket.destroy());
      sockets.handleUpgrade(request, socket, head, (webSocket) => {
        const caller = callers.get(request)!;
        callers.delete(request);
        options.start(webSocket, caller, answerIds.get(request)!);
      });
    },
    terminate() {
      for (const socket of sockets.clients) socket.terminate();
    },
  };
}
