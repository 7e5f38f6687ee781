// A request body as it arrives, with its deadlines, its size limit, and its slot, which another
// organization may preempt.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServiceError } from '../../models/contract/errors.ts';
import { bodyTooLarge } from './form-errors.ts';
import { createLoopShare } from './loop-share.ts';
import { watchUpload, type UploadDeadlines } from './deadlines.ts';

/** A slot for receiving a body. */
export interface BodySlot {
  /** Aborted with the error to answer when another organization preempts the slot. */
  readonly revoked: AbortSignal;
  /**
   * Counts bytes that would be lost with the slot.
   * @returns when more may be read; null when they may at once
   */
  received(bytes: number): Promise<void> | null;
}

export interface BodyOptions {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly maxBytes: number;
  readonly deadlines: UploadDeadlines;
  readonly slot: BodySlot;
  /** The error for a body that ends early. */
  readonly broken: (reason: string) => ServiceError;
}

export interface BodySink {
  /** @returns when the sink can take more; null when it can at once */
  write(block: Buffer): Promise<void> | null;
  end(): void;
  /** Called at most once, and nothing is called after it. */
  fail(error: ServiceError): void;
}

/** Of all bodies of this process. */
const loopShare = createLoopShare();

const closedEarly = 'the connection closed before its end';

export interface IncomingBody {
  /** Bytes received so far. */
  readonly bytes: number;
  /** Lowers the limit; fails when more was declared or received. */
  limit(maxBytes: number): void;
  /** Stops receiving. */
  stop(): void;
}

/**
 * Requests the body from the client and passes it on with back-pressure.
 * @throws ServiceError body_too_large when too many bytes are declared, unsupported_media_type when
 * they are compressed, or the reason why the body cannot be received
 */
export function receiveBody(options: BodyOptions, sink: BodySink): IncomingBody {
  const { request, response, deadlines, slot, broken } = options;
  const declared = Number(request.headers['content-length'] ?? 0);
  let { maxBytes } = options;
  let bytes = 0;
  let ended = false;
  requireIdentity(request);
  if (declared > maxBytes) throw bodyTooLarge(maxBytes, declared);
  slot.revoked.throwIfAborted();
  if (request.destroyed && !request.complete) throw broken(closedEarly);

  const stop = (): void => {
    if (ended) return;
    ended = true;
    clock.stop();
    slot.revoked.removeEventListener('abort', revoke);
    request.off('data', onData);
    request.off('end', end);
    request.off('close', onLost);
    request.off('error', onLost);
    // Errors after the answer have no effect, but an unhandled one would end the process.
    request.on('error', () => {});
  };
  const fail = (error: ServiceError): void => {
    if (ended) return;
    stop();
    sink.fail(error);
  };
  const onData = (block: Buffer): void => {
    bytes += block.length;
    clock.received(block.length);
    const pace = slot.received(block.length);
    if (bytes > maxBytes) return fail(bodyTooLarge(maxBytes, `more than ${maxBytes}`));
    const share = loopShare.handled(block.length);
    const waits = [sink.write(block), share, pace].filter((wait) => wait !== null);
    if (ended || waits.length === 0) return;
    request.pause();
    const resume = clock.pause();
    void Promise.all(waits).then(() => {
      resume();
      if (!ended) request.resume();
    });
  };
  const end = (): void => {
    stop();
    sink.end();
  };
  const onLost = (): void => {
    if (!request.complete) fail(broken(closedEarly));
  };
  const revoke = (): void => fail(slot.revoked.reason as ServiceError);
  const clock = watchUpload(deadlines, fail);

  request.on('data', onData);
  request.once('end', end);
  request.once('close', onLost);
  request.once('error', onLost);
  slot.revoked.addEventListener('abort', revoke);
  // RFC 9110, 10.1.1: a client of HTTP/1.0 would take it for the answer.
  const expected = request.httpVersion === '1.0' ? '' : (request.headers.expect ?? '');
  if (/^100-continue$/i.test(expected)) response.writeContinue();
  return {
    get bytes() {
      return bytes;
    },
    limit: (lower) => {
      maxBytes = Math.min(maxBytes, lower);
      const known = Math.max(bytes, declared);
      if (known > maxBytes) fail(bodyTooLarge(maxBytes, declared || `more than ${maxBytes}`));
    },
    stop,
  };
}

/** @throws ServiceError unsupported_media_type */
function requireIdentity({
  headers: { 'content-encoding': encoding = '' },
}: IncomingMessage): void {
  if (/^(identity)?$/i.test(encoding)) return;
  const message = `Content-Encoding must be identity or absent, got ${encoding.slice(0, 100)}.`;
  throw new ServiceError('unsupported_media_type', message, { param: 'Content-Encoding' });
}
