// The stream worker's HTTP server: upgrades in, driven sockets behind them, pings between.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { toServiceError } from '../../api/errors.ts';
import { refuseSocket } from '../../api/wire/raw-refusal.ts';
import { isRequestId } from '../../api/wire/request-id.ts';
import { subprotocols } from '../../api/wire/stream-addresses.ts';
import { ServiceError } from '../../models/errors.ts';
import { authenticateUpgrade, type StreamCaller } from './authenticate-upgrade.ts';
import type { DrivenStream } from './drive-stream.ts';
import { serveLite, type LiteServices } from './lite-stream.ts';
import { serveSpectra } from './spectra-stream.ts';

export interface StreamServerOptions extends LiteServices {
  readonly host: string;
  readonly port: number;
  /** Open sockets; more are 429 before the upgrade. */
  readonly maxStreams: number;
}

export interface StreamServer {
  readonly port: number;
  /** Takes no new streams and waits for the open ones, at most so long. */
  close(graceMs: number): Promise<void>;
}

/** Above the largest frame, so that the refusal can say what was wrong; beyond it `ws` closes. */
const maxPayloadBytes = 131_072;
const pingMs = 20_000;
const headersTimeoutMs = 10_000;

export async function startStreamServer(options: StreamServerOptions): Promise<StreamServer> {
  const streams = new Set<DrivenStream>();
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxPayloadBytes,
    perMessageDeflate: false,
    handleProtocols: (offered) =>
      Object.values(subprotocols).find((name) => offered.has(name)) ?? false,
  });
  const server = createServer({ headersTimeout: headersTimeoutMs }, (_request, response) => {
    response.writeHead(426, { Upgrade: 'websocket' }).end();
  });
  let closing = false;

  const open = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    // A client that resets its connection in the middle of its own upgrade.
    socket.on('error', () => socket.destroy());
    const caller = await admit(request);
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      keepAlive(webSocket);
      const stream = serve(webSocket, caller);
      streams.add(stream);
      void stream.over.then(() => streams.delete(stream));
    });
  };
  const admit = (request: IncomingMessage): Promise<StreamCaller> => {
    if (closing) throw new ServiceError('not_ready', 'This worker is being stopped; try again.');
    if (streams.size >= options.maxStreams) {
      const message = `${options.maxStreams} streams are open; try again later.`;
      throw new ServiceError('rate_limited', message, { retryAfterSeconds: 1 });
    }
    return authenticateUpgrade(options.db, request);
  };
  const serve = (webSocket: WebSocket, caller: StreamCaller): DrivenStream =>
    caller.kind === 'spectra'
      ? serveSpectra(webSocket, caller, options)
      : serveLite(webSocket, caller, options);

  server.on('upgrade', (request, socket, head) => {
    open(request, socket, head).catch((thrown: unknown) => {
      const error = toServiceError(thrown);
      if (error.status >= 500) options.log(error.cause ?? error);
      const given = request.headers['x-request-id'];
      refuseSocket(socket, error, isRequestId(given) ? given : randomUUID());
    });
  });
  server.listen(options.port, options.host);
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    async close(graceMs) {
      closing = true;
      server.close();
      const all = Promise.all([...streams].map((stream) => stream.over));
      const late = setTimeout(() => {
        for (const webSocket of sockets.clients) webSocket.terminate();
      }, graceMs);
      await all;
      clearTimeout(late);
      server.closeAllConnections();
    },
  };
}

/** A peer that does not answer one ping before the next is gone. */
function keepAlive(webSocket: WebSocket): void {
  let alive = true;
  webSocket.on('pong', () => {
    alive = true;
  });
  const timer = setInterval(() => {
    if (!alive) return webSocket.terminate();
    alive = false;
    webSocket.ping();
  }, pingMs);
  webSocket.once('close', () => clearInterval(timer));
}
