// The stream worker's HTTP server: upgrades in, driven sockets behind them, pings between.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebSocket } from 'ws';
import { headersOf, toEnvelope } from '../http/errors.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import type { AcquireStart } from '../../models/fairness/start-gate.ts';
import { revokedFailure, stoppingFailure } from './protocols/protocol.ts';
import {
  authenticateUpgrade,
  type OpenedStream,
  type StreamCaller,
  type UpgradeServices,
} from './authenticate.ts';
import type { DrivenStream } from './drive.ts';
import { keepAlive } from './keep-alive.ts';
import { partingHeader } from './parting.ts';
import { serveLite, type LiteServices } from './serve-lite.ts';
import { serveSpectra } from './serve-spectra.ts';
import { streamOfUrl } from '../../models/contract/streams.ts';
import { farewellMs, floodPenaltyMs, headersTimeoutMs } from './timeouts.ts';
import { createUpgrades, type UpgradedSockets } from './upgrade-sockets.ts';
import { watchKeys } from './watch-keys.ts';

/** Larger than the largest frame, so that the error can name its length. */
const maxFrameMessageBytes = 131_072;
/** Base64 of 8 s of PCM16 at 24 kHz. */
const maxRealtimeMessageBytes = 524_288;

export interface StreamServerOptions extends LiteServices, UpgradeServices {
  /** Serves the sessions of OpenAI's Realtime API. */
  readonly serveRealtime: (
    socket: WebSocket,
    caller: OpenedStream,
    services: LiteServices & UpgradeServices,
  ) => DrivenStream;
  readonly host: string;
  readonly port: number;
}

interface ForwardedCaller extends StreamCaller {
  /** By which an API that stops ends the stream. */
  readonly partingWord: string | string[] | undefined;
}

export interface StreamServer {
  readonly port: number;
  /** Rejects new streams, and waits for the open ones for up to the given time, 2 s or more. */
  close(graceMs: number): Promise<void>;
}

export async function startStreamServer(options: StreamServerOptions): Promise<StreamServer> {
  const { serveRealtime } = options;
  const serveOf = { spectra: serveSpectra, lite: serveLite, realtime: serveRealtime };
  const streams = new Map<DrivenStream, StreamCaller>();
  const stopWatching = watchKeys(options.db, streams);
  const server = createServer({ headersTimeout: headersTimeoutMs }, rejectPlainRequest);
  const door = openDoor(options);

  const start = (socket: WebSocket, caller: ForwardedCaller, answerId: string): void => {
    keepAlive(socket);
    const stream = serveOf[caller.kind](socket, { ...caller, answerId }, options);
    streams.set(stream, caller);
    socket.on('ping', (data: Buffer) => {
      if (data.toString() === caller.partingWord) stream.fail(stoppingFailure);
    });
    const { revoked, release } = caller.slot;
    const revoke = (): void => stream.fail(revokedFailure);
    if (revoked.aborted) revoke();
    else revoked.addEventListener('abort', revoke, { once: true });
    void stream.over.then(() => {
      streams.delete(stream);
      if (stream.hasFlooded()) setTimeout(release, floodPenaltyMs).unref();
      else release();
    });
  };
  const upgradesWith = (maxPayloadBytes: number): UpgradedSockets =>
    createUpgrades<ForwardedCaller>({
      maxPayloadBytes,
      admit: async (request) => ({
        ...(await door.admit(request)),
        partingWord: request.headers[partingHeader],
      }),
      start,
      discard: ({ slot }) => slot.release(),
      answerIdOf: ({ ticket }) => ticket?.requestId ?? null,
      refused(error, requestId) {
        // A planned stop is no fault.
        if (door.isClosed() && error.cause === undefined) return;
        options.log(error.cause ?? error, requestId);
        options.metrics.failed({ code: error.code, bulk: false });
      },
    });
  const framed = upgradesWith(maxFrameMessageBytes);
  const realtime = upgradesWith(maxRealtimeMessageBytes);
  server.on('upgrade', (request, socket, head) => {
    const { upgrade } = streamOfUrl(request.url ?? '') === 'realtime' ? realtime : framed;
    upgrade(request, socket, head);
  });
  server.listen(options.port, options.host);
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    async close(graceMs) {
      door.close();
      stopWatching();
      server.close();
      const all = Promise.all([...streams.keys()].map((stream) => stream.over));
      const clocks = [
        setTimeout(() => {
          for (const stream of streams.keys()) stream.fail(stoppingFailure);
        }, graceMs - farewellMs),
        setTimeout(() => {
          for (const { terminate } of [framed, realtime]) terminate();
        }, graceMs),
      ];
      await all;
      for (const clock of clocks) clearTimeout(clock);
      server.closeAllConnections();
    },
  };
}

/** Authenticates upgrades until it is closed, which rejects those that are waiting as well. */
function openDoor(services: UpgradeServices) {
  let closing = false;
  const requireOpen = (): void => {
    if (closing) throw new ServiceError('not_ready', 'This worker is shutting down; try again.');
  };
  const acquireStart: AcquireStart = async (organizationId) => {
    const release = await services.acquireStart(organizationId);
    // Before its credential is used up.
    requireOpen();
    return release;
  };
  return {
    close: () => void (closing = true),
    isClosed: () => closing,
    async admit(request: IncomingMessage): Promise<StreamCaller> {
      requireOpen();
      const caller = await authenticateUpgrade({ ...services, acquireStart }, request);
      if (closing) caller.slot.release();
      requireOpen();
      return caller;
    },
  };
}

function rejectPlainRequest(_request: IncomingMessage, response: ServerResponse): void {
  const requestId = randomUUID();
  const error = new ServiceError(
    'upgrade_required',
    'This address accepts WebSocket upgrades only.',
  );
  response
    .writeHead(error.status, {
      ...headersOf(error),
      'Content-Type': 'application/json',
      'X-Request-ID': requestId,
    })
    .end(JSON.stringify(toEnvelope(error, requestId)));
}
