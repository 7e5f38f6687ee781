// Fetches a source into a file: continued after broken connections, within limits of size and time.
import { open, type FileHandle } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../models/contract/errors.ts';
import type { SourceFetch } from '../../models/contract/source.ts';
import type { Egress } from '../egress/route.ts';
import { defaultUploadDeadlines } from '../http/deadlines.ts';
import { fileTooLarge } from '../http/form-errors.ts';
import { presignedSource } from './s3-source.ts';
import { blocksOf, Interrupted, openSource, rejected } from './source-response.ts';

export interface FetchLimits {
  /** A connection without a byte for this long is opened again. */
  readonly idleMs: number;
  /** For all connections together. */
  readonly totalMs: number;
  /** Connections in a row that bring nothing. */
  readonly maxFruitless: number;
  readonly firstDelayMs: number;
}

/** The times are those of uploads. */
export const defaultFetchLimits: FetchLimits = {
  idleMs: defaultUploadDeadlines.idleMs,
  totalMs: defaultUploadDeadlines.totalMs,
  maxFruitless: 6,
  firstDelayMs: 500,
};
const maxDelayMs = 16_000;

/**
 * @throws ServiceError source_refused, source_rejected, source_unreachable, file_too_large; or the
 * signal's reason
 */
export async function fetchSource(
  fetch: SourceFetch,
  egress: Egress,
  limits: FetchLimits = defaultFetchLimits,
): Promise<void> {
  const deadline = AbortSignal.timeout(limits.totalMs);
  const signal = AbortSignal.any([fetch.signal, deadline]);
  const file = await open(fetch.path, 'w');
  const received: Received = { bytes: 0, etag: null };
  try {
    for (let fruitless = 0; ;) {
      const before = received.bytes;
      try {
        const { idleMs } = limits;
        await receive({ ...fetch, signal }, { file, received, egress, idleMs });
        return;
      } catch (error) {
        if (!(error instanceof Interrupted)) throw error;
        fruitless = received.bytes > before ? 1 : fruitless + 1;
        if (fruitless > limits.maxFruitless) throw unreachable(error);
        const delayMs = limits.firstDelayMs * 2 ** (fruitless - 1);
        const wishedMs = (error.retryAfterSeconds ?? 0) * 1_000;
        await sleep(Math.min(maxDelayMs, Math.max(delayMs, wishedMs)), undefined, { signal });
      }
    }
  } catch (error) {
    fetch.signal.throwIfAborted();
    if (!deadline.aborted) throw error;
    throw unreachable(new Error(`it took longer than ${limits.totalMs / 1_000} seconds`));
  } finally {
    await file.close();
  }
}

function unreachable(cause: Error): ServiceError {
  const message = `\`source\` could not be fetched: ${cause.message}.`;
  return new ServiceError('source_unreachable', message, { param: 'source.url', cause });
}

/** What the file has so far: bytes of two versions of a source are never joined. */
interface Received {
  bytes: number;
  /** A strong validator of the bytes; null without one, and then they cannot be continued. */
  etag: string | null;
}

interface Receiving {
  readonly file: FileHandle;
  readonly received: Received;
  readonly egress: Egress;
  readonly idleMs: number;
}

async function receive(
  { url, credentials, maxBytes, signal, onProgress }: SourceFetch,
  { file, received, egress, idleMs }: Receiving,
): Promise<void> {
  const { bytes: from, etag } = received;
  const headers: Record<string, string> =
    from > 0 && etag !== null ? { range: `bytes=${from}-`, 'if-range': etag } : {};
  const address = url.protocol === 's3:' ? await presignedSource(url, credentials) : url;
  const call = { url: address, credentials, egress, headers, signal, idleMs };
  const response = await openSource(call);
  const blocks = blocksOf(response);
  try {
    if (!continues(response, received)) {
      Object.assign(received, { bytes: 0, etag: null });
      await file.truncate(0);
      if (response.statusCode !== 200)
        throw new Interrupted('its server answered another part than was asked for');
      received.etag = strongValidator(response);
    }
    requireIdentity(response);
    const declared = received.bytes + Number(response.headers['content-length'] ?? 0);
    if (declared > maxBytes) throw fileTooLarge(maxBytes, declared);
    for await (const block of blocks) {
      if (received.bytes + block.length > maxBytes) {
        throw fileTooLarge(maxBytes, `more than ${maxBytes}`);
      }
      await file.write(block, 0, block.length, received.bytes);
      received.bytes += block.length;
      onProgress(received.bytes);
    }
  } catch (error) {
    if (error instanceof ServiceError || error instanceof Interrupted || isOfDisk(error))
      throw error;
    signal.throwIfAborted();
    throw new Interrupted('its connection was broken', { cause: error });
  } finally {
    response.destroy();
  }
}

/** A full disk is an outage of the service, not of the source. */
function isOfDisk(error: unknown): boolean {
  return ['write', 'ftruncate'].includes(String((error as NodeJS.ErrnoException).syscall));
}

/** Whether the answer is the rest of the version whose beginning is there. */
function continues(response: IncomingMessage, { bytes, etag }: Received): boolean {
  const [, first] = /^bytes (\d+)-\d+\/\S+$/.exec(response.headers['content-range'] ?? '') ?? [];
  const isSame = etag !== null && strongValidator(response) === etag;
  return response.statusCode === 206 && bytes > 0 && Number(first) === bytes && isSame;
}

function strongValidator({ headers }: IncomingMessage): string | null {
  const { etag = '' } = headers;
  return /^"[^"]*"$/.test(etag) ? etag : null;
}

/** A compressed body would be stored as it is, and no decoder of recordings could read it. */
function requireIdentity({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding === 'identity') return;
  throw rejected(`The server of \`source\` sends it encoded as ${encoding.slice(0, 32)}.`);
}
