// Ends connections whose clients read too little of the answer that waits for them.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

export interface ReadingLimits {
  /** While output is pending, the client's progress is assessed in spans of this length. */
  readonly spanMs: number;
  /** What a client must read in a span; less would keep the answer in memory for hours. */
  readonly minBytes: number;
}

/** The system's own buffers hold megabytes, so a slow line shows progress only now and then. */
export const defaultReadingLimits: ReadingLimits = { spanMs: 60_000, minBytes: 32_768 };

/** A span in which output was pending all the time. */
export interface Span {
  readonly startedAtMs: number;
  /** Bytes that had been read when the span began. */
  readonly consumed: number;
}

export interface Reading {
  readonly pendingBytes: number;
  readonly consumedBytes: number;
  readonly nowMs: number;
}

/** The current span; null when nothing is pending; or that the reader is too slow. */
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

/** Destroys the connections of slow readers, which also stops the work for their answers. */
export function endSlowReaders(server: Server, limits: ReadingLimits): void {
  const answers = new Map<ServerResponse, Span | null>();
  const watch = (_request: IncomingMessage, response: ServerResponse): void => {
    answers.set(response, null);
    response.once('close', () => answers.delete(response));
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, watch);
  const timer = setInterval(() => {
    for (const [response, span] of answers) {
      const { req, socket, writableLength: pendingBytes } = response;
      if (!socket) {
        // An answer that still waits for another when its connection ends is never closed.
        if (req.socket.destroyed) answers.delete(response);
        continue;
      }
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
