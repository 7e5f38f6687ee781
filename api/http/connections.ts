// Limits the open connections, in all and per address: idle connections are closed in favour of new
// ones.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { isTrusted } from './forwarded-headers.ts';
import type { Networks } from './networks.ts';
import { addressOf } from './remote-address.ts';

export interface ConnectionLimits {
  readonly max: number;
  readonly maxPerAddress: number;
  /** Every connection of a proxy is a caller's: those that are trusted have `max` alone. */
  readonly trustedProxies?: Networks;
}

export const defaultConnectionLimits: ConnectionLimits = { max: 4_096, maxPerAddress: 1_024 };

/** The connections of one address; sets keep the order in which connections entered their state. */
interface Peer {
  /** Have not sent a request yet. */
  readonly silent: Set<Duplex>;
  /** Idle between two requests. */
  readonly keptAlive: Set<Duplex>;
  /** A request is being answered, or a stream is open. */
  readonly busy: Set<Duplex>;
}

/**
 * Past a limit, the connection that has been silent for longest is closed, then the one that has
 * been kept alive idle for longest: among those of this address, or of the address with the most
 * connections. When every connection is busy, the new one is closed.
 */
export function limitConnections(server: Server, limits: ConnectionLimits): void {
  const { max, maxPerAddress, trustedProxies = [] } = limits;
  const peers = new Map<string, Peer>();
  const addresses = new WeakMap<Duplex, string>();
  /** Requests may be sent before the answers to those before them. */
  const lastAnswers = new WeakMap<Duplex, ServerResponse>();
  let connected = 0;

  const peerOf = (socket: Duplex): Peer | undefined => peers.get(addresses.get(socket) ?? '');
  const move = (socket: Duplex, to: keyof Peer): void => {
    const peer = peerOf(socket);
    if (!peer || !has(peer, socket)) return;
    for (const set of Object.values(peer) as readonly Set<Duplex>[]) set.delete(socket);
    peer[to].add(socket);
  };
  const close = (socket: Duplex): void => {
    untrack(socket);
    socket.destroy();
  };
  const untrack = (socket: Duplex): void => {
    const peer = peerOf(socket);
    if (!peer || !has(peer, socket)) return;
    for (const set of Object.values(peer) as readonly Set<Duplex>[]) set.delete(socket);
    connected -= 1;
    if (sizeOf(peer) === 0) peers.delete(addresses.get(socket)!);
  };

  server.on('connection', (socket: Socket) => {
    const address = addressOf(socket.remoteAddress);
    const peer = peers.get(address) ?? { silent: new Set(), keptAlive: new Set(), busy: new Set() };
    const limited = !isTrusted(socket.remoteAddress, trustedProxies);
    const addressIsFull = limited && sizeOf(peer) >= maxPerAddress;
    if (addressIsFull || connected >= max) {
      const idle = addressIsFull ? longestIdle(peer) : longestIdleOf(peers);
      if (!idle) {
        socket.destroy();
        return;
      }
      close(idle);
    }
    addresses.set(socket, address);
    peers.set(address, peer);
    peer.silent.add(socket);
    connected += 1;
    socket.once('close', () => untrack(socket));
  });
  const answering = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    move(socket, 'busy');
    lastAnswers.set(socket, response);
    response.once('close', () => {
      if (lastAnswers.get(socket) === response) move(socket, 'keptAlive');
    });
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation']) {
    server.prependListener(event, answering);
  }
  server.on('upgrade', (_request, socket) => move(socket, 'busy'));
}

function has({ silent, keptAlive, busy }: Peer, socket: Duplex): boolean {
  return silent.has(socket) || keptAlive.has(socket) || busy.has(socket);
}

function sizeOf({ silent, keptAlive, busy }: Peer): number {
  return silent.size + keptAlive.size + busy.size;
}

function longestIdle({ silent, keptAlive }: Peer): Duplex | undefined {
  const [first] = silent.size > 0 ? silent : keptAlive;
  return first;
}

function longestIdleOf(peers: ReadonlyMap<string, Peer>): Duplex | undefined {
  const largest = [...peers.values()].sort((a, b) => sizeOf(b) - sizeOf(a));
  for (const peer of largest) {
    const found = longestIdle(peer);
    if (found) return found;
  }
  return undefined;
}
