// Uploads a stream to one write-once object: a single put when it is small, parts when it is large.
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  NotFound,
  PutObjectCommand,
  UploadPartCommand,
  type CompletedPart,
  type S3Client,
  type S3ServiceException,
} from '@aws-sdk/client-s3';
import {
  createPartBuffers,
  type PartBufferLimits,
  type PartBuffers,
  type UploadBuffers,
} from './part-buffers.ts';

/** What was stored. */
export interface StoredStream {
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

export interface StreamUpload {
  readonly client: S3Client;
  readonly bucket: string;
  readonly key: string;
  readonly body: AsyncIterable<Uint8Array>;
  readonly signal?: AbortSignal;
  /** Defaults to the buffers that all uploads of the process share. */
  readonly buffers?: PartBuffers;
}

/** S3 accepts parts from 5 MiB on; each part costs a round trip, and a copy in the gateway. */
export const partBufferLimits: PartBufferLimits = { partBytes: 10 * 2 ** 20, maxExtra: 24 };
const sharedBuffers = createPartBuffers(partBufferLimits);
/** Concurrent parts of one upload. */
const parallelParts = 3;

/**
 * Hashes and counts while it streams. After any error neither an object nor an open upload is left:
 * a request to the store is never cancelled, because the store would finish a cancelled one after
 * the clean-up, and a part that ends late opens its aborted upload again.
 */
export async function storeStream(upload: StreamUpload): Promise<StoredStream> {
  const { body, buffers = sharedBuffers } = upload;
  const held = buffers.open();
  try {
    return await storeParted(upload, (onBlock) =>
      splitParts(body, { partBytes: buffers.partBytes, held, onBlock }),
    );
  } finally {
    held.close();
  }
}

async function storeParted(
  upload: StreamUpload,
  split: (onBlock: (block: Uint8Array) => void) => AsyncGenerator<Part, undefined>,
): Promise<StoredStream> {
  const { client, bucket, key, signal } = upload;
  const hash = createHash('sha256');
  let bytes = 0;
  const parts = split((block) => {
    hash.update(block);
    bytes += block.length;
  });
  const first = await parts.next();
  if (signal?.aborted) {
    // Ends the body as well.
    await parts.return(undefined);
    throw signal.reason;
  }
  if (first.done || first.value.isLast) {
    const { bytes: Body, crc32: sum } = first.value ?? { bytes: Buffer.alloc(0), crc32: 0 };
    const input = { Bucket: bucket, Key: key, Body, ...checksumOf(sum) };
    await client
      .send(new PutObjectCommand({ ...input, IfNoneMatch: '*' }))
      .catch(async (error: unknown) => {
        if (await isTaken(error, upload, input.ChecksumCRC32)) return;
        await client.send(new PutObjectCommand(input));
      });
    first.value?.release(true);
    signal?.throwIfAborted();
  } else {
    await storeParts(upload, prepend(first.value, parts));
  }
  return { bytes, sha256: hash.digest('hex') };
}

async function storeParts(upload: StreamUpload, parts: AsyncIterable<Part>): Promise<void> {
  const { client, bucket: Bucket, key: Key, signal } = upload;
  const declared = { Bucket, Key, ChecksumAlgorithm: 'CRC32' } as const;
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(declared));
  const sent: Promise<CompletedPart>[] = [];
  try {
    for await (const { bytes: Body, crc32: sum, release } of parts) {
      signal?.throwIfAborted();
      const PartNumber = sent.length + 1;
      const named = { PartNumber, ...checksumOf(sum) };
      const input = { Bucket, Key, UploadId, Body, ...named };
      const part = client.send(new UploadPartCommand(input)).then(
        ({ ETag }) => {
          release(true);
          return { ETag, ...named };
        },
        (error: unknown) => {
          release(false);
          throw error;
        },
      );
      part.catch(() => {});
      sent.push(part);
      if (sent.length >= parallelParts) await sent[sent.length - parallelParts];
    }
    const Parts = await Promise.all(sent);
    signal?.throwIfAborted();
    const input = { Bucket, Key, UploadId, MultipartUpload: { Parts } };
    await client
      .send(new CompleteMultipartUploadCommand({ ...input, IfNoneMatch: '*' }))
      .catch(async (error: unknown) => {
        if (await isTaken(error, upload, null)) throw error;
        await client.send(new CompleteMultipartUploadCommand(input));
      });
  } catch (error) {
    await Promise.allSettled(sent);
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(() => {});
    throw error;
  }
}

/**
 * When the answer to an attempt is lost, the next attempt finds the key taken; that is a success
 * when the object is this one. A gateway that stores objects as files may also report a key as
 * taken although no object exists, when its folder was deleted meanwhile.
 * @param crc32OfBody null: no existing object counts as this one
 * @returns false when there is no object, so that the key can be written without a condition
 * @throws the error unless the key holds this object
 */
async function isTaken(
  error: unknown,
  { client, bucket, key }: StreamUpload,
  crc32OfBody: string | null,
): Promise<boolean> {
  const { name, $metadata } = error as Partial<S3ServiceException>;
  if (name !== 'PreconditionFailed' || ($metadata?.attempts ?? 1) < 2) throw error;
  const input = { Bucket: bucket, Key: key, ChecksumMode: 'ENABLED' } as const;
  const found = await client.send(new HeadObjectCommand(input)).catch((missing: unknown) => {
    if (missing instanceof NotFound) return null;
    throw missing;
  });
  if (found && found.ChecksumCRC32 !== crc32OfBody) throw error;
  return found !== null;
}

/** The store compares the checksum with what arrived, and keeps it. */
export function checksum(body: Uint8Array | string): Checksum {
  return checksumOf(crc32(body));
}

interface Checksum {
  readonly ChecksumCRC32: string;
}

function checksumOf(sum: number): Checksum {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(sum);
  return { ChecksumCRC32: bytes.toString('base64') };
}

/**
 * Makes a client sign the headers, with the checksum among them, but not the body: hashing every
 * byte a second time costs a third of the rate (docs/adr/0023).
 */
export function signWithoutPayload(client: S3Client): S3Client {
  client.middlewareStack.add(
    (next) => (args) => {
      const { headers } = args.request as { headers: Record<string, string> };
      headers['x-amz-content-sha256'] = 'UNSIGNED-PAYLOAD';
      return next(args);
    },
    { step: 'build', name: 'unsignedPayload' },
  );
  return client;
}

/** One part, whose buffer is released once the part is stored. */
interface Part {
  readonly bytes: Buffer;
  readonly crc32: number;
  /** Whether it is the last part. */
  readonly isLast: boolean;
  /** @param reusable false when a failed request may still be reading it */
  readonly release: (reusable: boolean) => void;
}

interface Splitting {
  readonly partBytes: number;
  readonly held: UploadBuffers;
  readonly onBlock: (block: Uint8Array) => void;
}

/**
 * Splits blocks of any size into parts of `partBytes`; the last may be shorter. The checksum of a
 * part grows with its blocks: taken at its end it blocks the event loop for 10 ms, and uploads that
 * began together end their parts together.
 */
async function* splitParts(
  body: AsyncIterable<Uint8Array>,
  { partBytes, held, onBlock }: Splitting,
): AsyncGenerator<Part, undefined> {
  let buffer: Buffer | null = null;
  let filled = 0;
  let sum = 0;
  const take = (whole: Buffer, isLast: boolean): Part => {
    const part = { bytes: whole.subarray(0, filled), crc32: sum, isLast };
    buffer = null;
    filled = 0;
    sum = 0;
    return { ...part, release: (reusable) => held.release(whole, reusable) };
  };
  for await (const block of body) {
    onBlock(block);
    for (let offset = 0; offset < block.length;) {
      // A full part is passed on only when more data follows, so that a body of one part takes one
      // request.
      if (buffer !== null && filled === partBytes) yield take(buffer, false);
      buffer ??= await held.acquire();
      const taken = Math.min(block.length - offset, partBytes - filled);
      const piece = block.subarray(offset, offset + taken);
      buffer.set(piece, filled);
      sum = crc32(piece, sum);
      filled += taken;
      offset += taken;
    }
  }
  if (buffer !== null) yield take(buffer, true);
  return undefined;
}

async function* prepend<T>(head: T, rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield head;
  yield* rest;
}
