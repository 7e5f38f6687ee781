// After an early answer: read on for a while, so that a client that is still sending can read it.
import type { IncomingMessage } from 'node:http';

/** A client that sends more than this after its answer is cut off. */
const maxBytes = 64 * 2 ** 20;
const maxMs = 15_000;

/** Throws the rest of the body away, within limits. Closing at once would reset the connection. */
export function drainUnread(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  let bytes = 0;
  const timer = setTimeout(() => request.destroy(), maxMs);
  timer.unref();
  request.on('data', (block: Buffer) => {
    bytes += block.length;
    if (bytes > maxBytes) request.destroy();
  });
  request.once('close', () => clearTimeout(timer));
  request.once('end', () => clearTimeout(timer));
  request.on('error', () => {});
  request.resume();
}
