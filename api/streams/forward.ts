// WebSocket upgrades go on to the stream worker, byte for byte: one base address serves all.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { ServiceError } from '../../models/errors.ts';
import { isRequestId } from '../wire/request-id.ts';
import { endSoon, refuseSocket } from '../wire/raw-refusal.ts';

export interface StreamAddress {
  readonly host: string;
  readonly port: number;
}

const connectTimeoutMs = 3_000;

/** `host:port`; IPv6 hosts stand in brackets. */
export function parseStreamAddress(text: string): StreamAddress {
  const [, host = '', port = ''] = /^\[?([^\]]+)\]?:(\d+)$/.exec(text) ?? [];
  if (host === '') throw new Error(`SVC_STREAM_ADDRESS takes host:port, got "${text}"`);
  return { host, port: Number(port) };
}

export interface ForwardedUpgrades {
  /** Ends every stream that is open. */
  close(): void;
}

/** @param server lets only those upgrades through that ask for a stream (api/server.ts) */
export function forwardUpgrades(
  server: Server,
  address: StreamAddress,
  logger: Logger,
): ForwardedUpgrades {
  const open = new Set<Duplex>();
  server.on('upgrade', (request, socket, head) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    forward({ request, socket, head }, address, logger);
  });
  return {
    close: () => {
      for (const socket of open) socket.destroy();
    },
  };
}

interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

function forward({ request, socket, head }: Upgrade, address: StreamAddress, logger: Logger): void {
  const upstream = connect({ ...address, noDelay: true, timeout: connectTimeoutMs });
  let connected = false;
  upstream.once('connect', () => {
    connected = true;
    upstream.setTimeout(0);
    upstream.write(requestHead(request));
    upstream.write(head);
    socket.pipe(upstream).pipe(socket);
  });
  const end = (cause: unknown): void => {
    upstream.destroy();
    if (connected) {
      endSoon(socket);
      return;
    }
    connected = true;
    logger.warn({ err: cause }, 'the stream worker cannot be reached');
    const message = 'The streams are not available; try again.';
    const { 'x-request-id': given } = request.headers;
    const id = isRequestId(given) ? given : randomUUID();
    refuseSocket(socket, new ServiceError('not_ready', message, { cause }), id);
  };
  upstream.once('timeout', () => end(new Error('it does not answer')));
  upstream.once('error', end);
  upstream.once('close', () => end(new Error('it closed the connection')));
  socket.once('error', end);
  socket.once('close', () => upstream.destroy());
}

function requestHead({ method, url, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/1.1`];
  for (let i = 0; i < rawHeaders.length; i += 2)
    lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}
