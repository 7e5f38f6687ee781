// TLS in front of a server that speaks none: what comes decrypted goes on as it is.
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { createServer } from 'node:tls';
import type { Certificates } from './certificates.ts';
import type { Cleanup } from './cleanup.ts';

export interface TerminatorOptions {
  readonly certificates: Certificates;
  readonly port: number;
  /** Only clients with a certificate of the authority get in. */
  readonly mutual?: boolean;
}

/** @returns its port on loopback */
export async function terminateTls(t: Cleanup, options: TerminatorOptions): Promise<number> {
  const { authority, server } = options.certificates;
  const sockets = new Set<Socket>();
  const front = createServer(
    {
      cert: server.cert,
      key: server.key,
      ca: authority,
      requestCert: options.mutual ?? false,
      rejectUnauthorized: options.mutual ?? false,
      // gRPC is HTTP/2, object storage is not: each client offers what it speaks.
      ALPNProtocols: ['h2', 'http/1.1'],
    },
    (socket) => {
      const behind = connect({ host: '127.0.0.1', port: options.port, noDelay: true });
      for (const side of [socket, behind]) {
        sockets.add(side);
        side.on('error', () => {});
        side.once('close', () => {
          sockets.delete(side);
          socket.destroy();
          behind.destroy();
        });
      }
      socket.pipe(behind).pipe(socket);
    },
  );
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    front.close();
  });
  return (front.address() as AddressInfo).port;
}
