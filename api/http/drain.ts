// Keeps reading for a while after an early answer, so that a client that still sends can read it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { costOf } from './block-cost.ts';

/** A client that sends more than this after its answer is cut off. */
const maxBytes = 64 * 2 ** 20;
const maxMs = 15_000;

/**
 * Discards the rest of the body within limits, because closing at once would reset the connection.
 */
export function drainUnread(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete || request.destroyed) return;
  let cost = 0;
  const timer = setTimeout(() => request.destroy(), maxMs);
  timer.unref();
  request.on('data', (block: Buffer) => {
    cost += costOf(block.length);
    if (cost > maxBytes) request.destroy();
  });
  request.once('close', () => clearTimeout(timer));
  request.once('end', () => clearTimeout(timer));
  request.on('error', () => {});
  if (!response.shouldKeepAlive) closeInStages(request);
  request.resume();
}

/**
 * Node destroys the socket of a last answer as soon as that is written, whatever is still to be
 * read. Instead the answer ends, and the rest is read before the socket closes (RFC 9112, 9.6).
 */
function closeInStages(request: IncomingMessage): void {
  const { socket } = request;
  const close = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    if (request.complete) return close();
    socket.end();
    request.once('end', close);
  };
}
