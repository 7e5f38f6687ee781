// One stream to one write-once object: a single put when it is small, parts when it is not.
import { createHash } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
  type S3Client,
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

/** S3 takes parts of 5 MiB and more; 8 MiB keep the number of round trips low. */
const partBytes = 8 * 2 ** 20;
/** Parts under way at once: memory is bounded by this many plus the one being filled. */
const parallelParts = 2;

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
    const Body = first.done ? Buffer.alloc(0) : first.value;
    const input = { Bucket: bucket, Key: key, Body, IfNoneMatch: '*' };
    await client.send(new PutObjectCommand(input), signal && { abortSignal: signal });
  } else {
    await storeParts(upload, prepend([first.value!, second.value], parts));
  }
  return { bytes, sha256: hash.digest('hex') };
}

async function storeParts(upload: StreamUpload, parts: AsyncIterable<Buffer>): Promise<void> {
  const { client, bucket: Bucket, key: Key, signal } = upload;
  const options = signal && { abortSignal: signal };
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
  const sent: Promise<{ ETag: string | undefined; PartNumber: number }>[] = [];
  try {
    for await (const Body of parts) {
      signal?.throwIfAborted();
      const PartNumber = sent.length + 1;
      const part = client
        .send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }), options)
        .then(({ ETag }) => ({ ETag, PartNumber }));
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

/** Blocks of any size to parts of `partBytes`; the last may be shorter. */
async function* splitParts(
  body: AsyncIterable<Uint8Array>,
  onBlock: (block: Uint8Array) => void,
): AsyncGenerator<Buffer, undefined> {
  let blocks: Uint8Array[] = [];
  let held = 0;
  for await (const block of body) {
    onBlock(block);
    blocks.push(block);
    held += block.length;
    if (held >= partBytes) {
      yield Buffer.concat(blocks);
      blocks = [];
      held = 0;
    }
  }
  if (held > 0) yield Buffer.concat(blocks);
  return undefined;
}

async function* prepend<T>(head: readonly T[], rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield* head;
  yield* rest;
}
