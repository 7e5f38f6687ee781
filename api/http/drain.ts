// Keeps reading for a while after an early answer, so that a client that still sends can read it.
import type { IncomingMessage } from 'node:http';
import { costOf } from './block-cost.ts';

/** A client that sends more than this after its answer is cut off. */
const maxBytes = 64 * 2 ** 20;
const maxMs = 15_000;

/**
 * Discards the rest of the body within limits, because closing at once would reset the connection.
 */
export function drainUnread(request: IncomingMessage): void {
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
  request.resume();
}
