// Answers that nobody reads: a connection that takes too little of what waits for it is ended.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

export interface ReadingLimits {
  /** While something waits, the peer is looked at in spans of so long. */
  readonly spanMs: number;
  /** What it must take in a span: less is a trickle that would hold the answer for hours. */
  readonly minBytes: number;
}

/** The system's own buffers are megabytes: a slow line shows progress only once in a while. */
export const defaultReadingLimits: ReadingLimits = { spanMs: 60_000, minBytes: 32_768 };

/** A while in which bytes were waiting all the time. */
export interface Span {
  readonly startedAtMs: number;
  /** Bytes that had been taken when it began. */
  readonly consumed: number;
}

export interface Reading {
  readonly pendingBytes: number;
  readonly consumedBytes: number;
  readonly nowMs: number;
}

/** The span that a reader is in now, null when nothing waits for it, or that it is too slow. */
export function assessReader(
  span: Span | null,
  { pendingBytes, consumedBytes, nowMs }: Reading,
  { spanMs, minBytes }: ReadingLimits,
): Span | null | 'too slow' {
  if (pendingBytes === 0) return null;
  if (span && nowMs - span.startedAtMs < spanMs) return span;
  if (span && consumedBytes - span.consumed < minBytes) return 'too slow';
  return { startedAtMs: nowMs, consumed: consumedBytes };
}

/** Destroys the connections of slow readers; what is made for them stops with the connection. */
export function endSlowReaders(server: Server, limits: ReadingLimits): void {
  const answers = new Map<ServerResponse, Span | null>();
  const watch = (_request: IncomingMessage, response: ServerResponse): void => {
    answers.set(response, null);
    response.once('close', () => answers.delete(response));
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, watch);
  const timer = setInterval(() => {
    for (const [response, span] of answers) {
      const { socket, writableLength: pendingBytes } = response;
      if (!socket) continue;
      const consumedBytes = socket.bytesWritten - socket.writableLength;
      const reading = { pendingBytes, consumedBytes, nowMs: performance.now() };
      const assessed = assessReader(span, reading, limits);
      if (assessed === 'too slow') socket.destroy();
      else answers.set(response, assessed);
    }
  }, limits.spanMs / 20);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}
