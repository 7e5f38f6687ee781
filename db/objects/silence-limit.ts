// How long an attempt may be without a byte from storage: longer where much is to be sent.
import type { S3Client } from '@aws-sdk/client-s3';

const mebibyte = 2 ** 20;
/** That of 1 Mbit/s: a connection that is slower is of no use for recordings. */
const mebibyteMs = 8_000;
/** More than buffers of a connection hold; a silent store is to be noticed within a minute. */
const maxMebibytes = 4;

/**
 * What local buffers hold, of the kernel or of a proxy on the way, counts as sent, so that the
 * silence before the answer lasts as long as the link takes for it.
 * @param bytes of the request; NaN when it does not say
 * @param baseMs of a request that is sent at once
 */
export function silenceLimitMs(bytes: number, baseMs: number): number {
  return baseMs + Math.min(maxMebibytes, Math.floor(bytes / mebibyte) || 0) * mebibyteMs;
}

type RequestHandler = S3Client['config']['requestHandler'];

/**
 * Gives each request the limit of its bytes.
 * @param handlerOf makes a handler of this limit, which the SDK knows only for all of its requests
 */
export function limitSilence(
  client: S3Client,
  baseMs: number,
  handlerOf: (silenceMs: number) => RequestHandler,
): void {
  const { requestHandler } = client.config;
  const handlers = new Map([[baseMs, requestHandler.handle.bind(requestHandler)]]);
  requestHandler.handle = (request, options) => {
    const limitMs = silenceLimitMs(Number(request.headers['content-length']), baseMs);
    let handle = handlers.get(limitMs);
    if (handle === undefined) {
      const handler = handlerOf(limitMs);
      handle = handler.handle.bind(handler);
      handlers.set(limitMs, handle);
    }
    return handle(request, options);
  };
}
