// One stream to one write-once object: a single put when it is small, parts when it is not.
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
  type S3Client,
  type S3ServiceException,
} from '@aws-sdk/client-s3';

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
}

/** S3 takes parts of 5 MiB and more; each part costs a round trip and the gateway a copy. */
const partBytes = 10 * 2 ** 20;
/** Parts under way at once: memory is bounded by this many plus the one being filled. */
const parallelParts = 3;

/** Hashes and counts while streaming. Whatever goes wrong, no object and no open upload is left. */
export async function storeStream(upload: StreamUpload): Promise<StoredStream> {
  const { client, bucket, key, signal } = upload;
  const hash = createHash('sha256');
  let bytes = 0;
  const parts = splitParts(upload.body, (block) => {
    hash.update(block);
    bytes += block.length;
  });
  const first = await parts.next();
  const second = first.done ? first : await parts.next();
  signal?.throwIfAborted();
  if (second.done) {
    const Body = first.done ? Buffer.alloc(0) : first.value.bytes;
    const input = { Bucket: bucket, Key: key, Body, ...checksum(Body), IfNoneMatch: '*' };
    await client
      .send(new PutObjectCommand(input), signal && { abortSignal: signal })
      .catch((error: unknown) => acceptOwn(error, upload, checksum(Body).ChecksumCRC32));
    first.value?.release();
  } else {
    await storeParts(upload, prepend([first.value!, second.value], parts));
  }
  return { bytes, sha256: hash.digest('hex') };
}

async function storeParts(upload: StreamUpload, parts: AsyncIterable<Part>): Promise<void> {
  const { client, bucket: Bucket, key: Key, signal } = upload;
  const options = signal && { abortSignal: signal };
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
  const sent: Promise<{ ETag: string | undefined; PartNumber: number }>[] = [];
  try {
    for await (const { bytes: Body, release } of parts) {
      signal?.throwIfAborted();
      const PartNumber = sent.length + 1;
      const input = { Bucket, Key, UploadId, PartNumber, Body, ...checksum(Body) };
      const part = client.send(new UploadPartCommand(input), options).then(({ ETag }) => {
        // Only after success: a request that failed may still be reading it.
        release();
        return { ETag, PartNumber };
      });
      part.catch(() => {});
      sent.push(part);
      if (sent.length >= parallelParts) await sent[sent.length - parallelParts];
    }
    const Parts = await Promise.all(sent);
    signal?.throwIfAborted();
    await client.send(
      new CompleteMultipartUploadCommand({
        Bucket,
        Key,
        UploadId,
        MultipartUpload: { Parts },
        IfNoneMatch: '*',
      }),
    );
  } catch (error) {
    // Parts still under way would come back to life after the abort.
    await Promise.allSettled(sent);
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(() => {});
    throw error;
  }
}

/**
 * An attempt whose answer was lost has written the key, and the next one finds it taken: that is a
 * success when the object is this one.
 */
async function acceptOwn(
  error: unknown,
  { client, bucket, key }: StreamUpload,
  crc32OfBody: string,
): Promise<void> {
  const { name, $metadata } = error as Partial<S3ServiceException>;
  if (name !== 'PreconditionFailed' || ($metadata?.attempts ?? 1) < 2) throw error;
  const input = { Bucket: bucket, Key: key, ChecksumMode: 'ENABLED' } as const;
  const { ChecksumCRC32 } = await client.send(new HeadObjectCommand(input));
  if (ChecksumCRC32 !== crc32OfBody) throw error;
}

/** The store compares this with what arrived, and keeps it. */
export function checksum(body: Uint8Array | string): { ChecksumCRC32: string } {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(body));
  return { ChecksumCRC32: bytes.toString('base64') };
}

/**
 * Makes a client sign the headers, the checksum among them, but not the body: its sha256 would be a
 * second one over every byte, which costs a third of the rate (docs/BENCHMARKS.md, ratio 10).
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

/** One part in a buffer that goes back to the pool once it is stored. */
interface Part {
  readonly bytes: Buffer;
  readonly release: () => void;
}

/** Blocks of any size to parts of `partBytes`; the last may be shorter. */
async function* splitParts(
  body: AsyncIterable<Uint8Array>,
  onBlock: (block: Uint8Array) => void,
): AsyncGenerator<Part, undefined> {
  let buffer: Buffer | null = null;
  let held = 0;
  const take = (): Part => {
    const filled = buffer!;
    const part = { bytes: filled.subarray(0, held), release: () => giveBack(filled) };
    buffer = null;
    held = 0;
    return part;
  };
  for await (const block of body) {
    onBlock(block);
    for (let offset = 0; offset < block.length;) {
      buffer ??= freeBuffers.pop() ?? Buffer.allocUnsafeSlow(partBytes);
      const taken = Math.min(block.length - offset, partBytes - held);
      buffer.set(block.subarray(offset, offset + taken), held);
      held += taken;
      offset += taken;
      if (held === partBytes) yield take();
    }
  }
  if (held > 0) yield take();
  return undefined;
}

/** Part buffers are kept: fresh ones cost a page fault per 4 KiB, a third of an upload's time. */
const freeBuffers: Buffer[] = [];
const maxFreeBuffers = 8;

function giveBack(buffer: Buffer): void {
  if (freeBuffers.length < maxFreeBuffers) freeBuffers.push(buffer);
}

async function* prepend<T>(head: readonly T[], rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield* head;
  yield* rest;
}
