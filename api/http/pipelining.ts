// Requests that are sent before the last answer has come (HTTP/1.1 pipelining) are handled one at a
// time: Node would hand over all of a read at once, and keep the answers that are not yet due.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** Requests of a connection that wait for the answer before theirs. */
const maxWaiting = 16;

/** Past the limit the connection is closed: its client must send again what was not answered. */
export function inTurn(handle: Handle): Handle {
  const waiting = new WeakMap<Socket, Parameters<Handle>[]>();
  const start = (...[request, response]: Parameters<Handle>): void => {
    const { socket } = request;
    // In another turn of the event loop, so that other connections are served between.
    response.once('close', () => setImmediate(startNext, socket));
    handle(request, response);
  };
  const startNext = (socket: Socket): void => {
    const next = waiting.get(socket)?.shift();
    if (next && socket.writable) start(...next);
    else waiting.delete(socket);
  };
  return (request, response) => {
    const { socket } = request;
    // The last answer has ended, and only the rest of its request's body is awaited.
    if (!socket.writable) return;
    const queue = waiting.get(socket);
    if (!queue) {
      waiting.set(socket, []);
      start(request, response);
    } else if (queue.length < maxWaiting) {
      queue.push([request, response]);
    } else {
      socket.destroy();
    }
  };
}
