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
  readonly taken: number;
}

export interface Reading {
  readonly waitingBytes: number;
  readonly takenBytes: number;
  readonly nowMs: number;
}

/** The span that a reader is in now, null when nothing waits for it, or that it is too slow. */
export function judgeReader(
  span: Span | null,
  { waitingBytes, takenBytes, nowMs }: Reading,
  { spanMs, minBytes }: ReadingLimits,
): Span | null | 'too slow' {
  if (waitingBytes === 0) return null;
  if (span && nowMs - span.startedAtMs < spanMs) return span;
  if (span && takenBytes - span.taken < minBytes) return 'too slow';
  return { startedAtMs: nowMs, taken: takenBytes };
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
      const { socket, writableLength: waitingBytes } = response;
      if (!socket) continue;
      const takenBytes = socket.bytesWritten - socket.writableLength;
      const reading = { waitingBytes, takenBytes, nowMs: performance.now() };
      const judged = judgeReader(span, reading, limits);
      if (judged === 'too slow') socket.destroy();
      else answers.set(response, judged);
    }
  }, limits.spanMs / 20);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}
