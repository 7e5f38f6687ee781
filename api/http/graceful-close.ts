// How a server ends: no answer that has begun is cut off, and no idle connection holds it up.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';

export interface GracefulClose {
  /** From now on connections end with their answers, those in progress included. */
  leave(): void;
  /**
   * Accepts no connection any more, and ends each once nothing is asked or answered in it; the
   * server emits `close` after the last.
   */
  close(): void;
}

/** @param server that does not listen yet */
export function createGracefulClose(server: Server): GracefulClose {
  const answersOf = new Map<Socket, Set<ServerResponse>>();
  let leaving = false;
  let closing = false;

  const all = (): ServerResponse[] => [...answersOf.values()].flatMap((answers) => [...answers]);
  const endWith = (answer: ServerResponse): void => {
    if (!answer.headersSent) answer.shouldKeepAlive = false;
  };
  // Node takes a connection for idle whose answer has ended, though its client has yet to read it.
  const endIdle = (): void => {
    if (!closing || all().some(({ writableEnded }) => writableEnded)) return;
    server.closeIdleConnections();
  };
  const watch = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    const answers = answersOf.get(socket);
    answers?.add(response);
    if (leaving) endWith(response);
    response.once('close', () => {
      answers?.delete(response);
      endIdle();
    });
  };

  server.on('connection', (socket) => {
    answersOf.set(socket, new Set());
    socket.once('close', () => {
      answersOf.delete(socket);
      endIdle();
    });
  });
  for (const event of ['request', 'checkContinue', 'checkExpectation']) {
    server.prependListener(event, watch);
  }
  const leave = (): void => {
    leaving = true;
    for (const answer of all()) endWith(answer);
  };
  return {
    leave,
    close() {
      leave();
      closing = true;
      // `http.Server` would end all that it takes for idle.
      NetServer.prototype.close.call(server);
      endIdle();
    },
  };
}
