// A TCP proxy on loopback whose connections can be cut or go silent. Toxiproxy does the same as one
// more Go program to build and to drive over HTTP; these connections need neither.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { Cleanup } from '../support/cleanup.ts';

/**
 * - `open`: bytes pass;
 * - `cut`: open connections are reset, new ones are rejected during their handshake;
 * - `silent`: nothing passes and no end is signalled, as when packets are dropped on the way.
 */
export type LineState = 'open' | 'cut' | 'silent';

export interface TcpProxy {
  readonly port: number;
  set(state: LineState): void;
  /** Silences the open connections for good; new ones are not affected. */
  freeze(): void;
}

/** @param target `host:port`, or a URL that has both */
export async function startTcpProxy(t: Cleanup, target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target.includes('://') ? target : `tcp://${target}`);
  const pairs = new Set<readonly [Socket, Socket]>();
  let state: LineState = 'open';
  const server = createServer({ noDelay: true }, (near) => {
    near.on('error', () => {});
    if (state === 'cut') return void near.resetAndDestroy();
    const far = connect({ host: hostname, port: Number(port), noDelay: true });
    const pair = [near, far] as const;
    far.on('error', () => near.destroy());
    pairs.add(pair);
    near.once('close', () => {
      pairs.delete(pair);
      far.destroy();
    });
    far.once('close', () => {
      // A silent connection does not forward the other end's close either.
      if (state !== 'silent') near.destroy();
    });
    near.on('data', (data) => pass(far, data, near));
    far.on('data', (data) => pass(near, data, far));
    if (state === 'silent') hush(pair, true);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    for (const [near, far] of pairs) {
      near.destroy();
      far.destroy();
    }
  });
  return {
    port: (server.address() as AddressInfo).port,
    set(next) {
      state = next;
      for (const pair of pairs) {
        if (next === 'cut') pair[0].resetAndDestroy();
        else hush(pair, next === 'silent');
      }
    },
    freeze() {
      for (const pair of pairs) hush(pair, true);
    },
  };
}

function pass(to: Socket, data: Buffer, from: Socket): void {
  if (to.destroyed || to.write(data)) return;
  from.pause();
  to.once('drain', () => from.resume());
}

function hush(pair: readonly [Socket, Socket], silent: boolean): void {
  for (const socket of pair) {
    if (silent) socket.pause();
    // The other end closed while the connection was silent.
    else if (pair.some((each) => each.destroyed)) socket.destroy();
    else socket.resume();
  }
}
