// Object storage over the S3 protocol: write-once keys, streams in both directions, and nothing
// left after an abort.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3ServiceException,
  type GetObjectCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { deleteObjects, deletePrefix } from './object-deletion.ts';
import { ensureBucket, ensureLifecycle, type LifecycleChange } from './bucket.ts';
import {
  createClient,
  encryptionHeaders,
  type Encryption,
  type ObjectStoreOptions,
} from './object-client.ts';
import { abortUploads, listKeys, listPage, type ListedObject } from './object-listing.ts';
import { createProbes, type ObjectProbes } from './object-probes.ts';
import { ObjectDamaged, damaged, verify, type Expected } from './object-reads.ts';
import { checksum, signWithoutPayload, storeStream, type StoredStream } from './object-upload.ts';

export type { ObjectStoreOptions };

/** The key holds no object. */
export class ObjectMissing extends Error {
  override readonly name = 'ObjectMissing';
}

export interface PresignedPut {
  readonly bytes: number;
  readonly lifetimeSeconds: number;
}

export interface PresignedUpload {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Before the end of its lifetime where the credentials that sign it end earlier. */
  readonly expiresAt: Date;
}

export interface ObjectStart {
  /** Of the whole object. */
  readonly bytes: number;
  readonly start: Buffer;
}

export interface ObjectStore extends ObjectProbes {
  readonly bucket: string;
  /** @returns whether the bucket was created */
  ensureBucket(): Promise<boolean>;
  /** Sets the lifecycle rules by which the store itself deletes orphans. */
  ensureLifecycle(): Promise<LifecycleChange>;
  /** Writes a stream once, hashing and counting it. After an error or an abort nothing is left. */
  putStream(
    key: string,
    body: AsyncIterable<Uint8Array>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<StoredStream>;
  /** Writes or replaces a small object, for steps that always write the same bytes. */
  putBytes(key: string, bytes: Uint8Array | string): Promise<void>;
  /** @throws ObjectMissing, ObjectDamaged */
  getBytes(key: string): Promise<Buffer>;
  /** Bytes `[start, end)`. @throws ObjectMissing */
  getRange(key: string, start: number, end: number): Promise<Buffer>;
  /** The size of the object and its first bytes, up to `limit`; null when there is none. */
  readStart(key: string, limit: number): Promise<ObjectStart | null>;
  /**
   * Presigns one PUT of exactly this many bytes for a client without credentials.
   * @returns the URL, the headers to send with it, and until when it is valid
   */
  presignPut(key: string, put: PresignedPut): Promise<PresignedUpload>;
  /** Writes the object to a file. @returns what came @throws ObjectMissing, ObjectDamaged */
  download(key: string, path: string, expected: Expected): Promise<StoredStream>;
  list(prefix: string): Promise<readonly string[]>;
  /** At most a thousand objects in the order of their keys, after `after`. */
  listPage(prefix: string, after: string): Promise<readonly ListedObject[]>;
  /** @throws ObjectsKept when some of them could not be deleted; the others are */
  delete(keys: readonly string[]): Promise<void>;
  /** Deletes all objects under the prefix, and verifies that a new listing is empty. */
  deletePrefix(prefix: string): Promise<void>;
  /** Aborts multipart uploads under the prefixes that were started before `before`. */
  abortUploads(prefixes: readonly string[], before: Date): Promise<number>;
  close(): void;
}

export function openObjectStore(options: ObjectStoreOptions): ObjectStore {
  const { bucket, encryption = null } = options;
  const client = createClient(options);
  const streamClient = signWithoutPayload(createClient(options));
  const publicClient = createClient({
    ...options,
    onUnanswered: undefined,
    endpoint: options.publicEndpoint ?? options.endpoint,
  });
  const get = async (key: string, range?: string): Promise<Buffer> => {
    // The store keeps a checksum of the whole object, but none of a range.
    const whole = { ChecksumMode: 'ENABLED' } as const;
    const input = { Bucket: bucket, Key: key, ...(range ? { Range: range } : whole) };
    return bytesOf(await client.send(new GetObjectCommand(input)).catch(missing));
  };
  return {
    bucket,
    ensureBucket: () => ensureBucket(client, bucket),
    ensureLifecycle: () => ensureLifecycle(client, bucket),
    ...createProbes(client, bucket),
    putStream: (key, body, { signal } = {}) =>
      storeStream({ client: streamClient, bucket, key, body, ...(signal && { signal }) }),
    putBytes: async (key, bytes) => {
      // The SDK takes an empty text for a stream whose length is unknown.
      const Body = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
      const input = { Bucket: bucket, Key: key, Body, ...checksum(bytes) };
      await client.send(new PutObjectCommand(input));
    },
    getBytes: (key) => get(key),
    getRange: async (key, start, end) => {
      const bytes = await get(key, `bytes=${start}-${end - 1}`);
      if (bytes.length !== end - start)
        throw new ObjectDamaged('the read of a range was truncated');
      return bytes;
    },
    readStart: (key, limit) => readStart(client, { bucket, key, limit }),
    presignPut: (key, put) => {
      // What is presigned has no answer from which to learn the store's clock.
      const signingDate = new Date(Date.now() + client.config.systemClockOffset);
      return presignPut(publicClient, { bucket, key, encryption, signingDate, ...put });
    },
    download: async (key, path, expected) => {
      const input = { Bucket: bucket, Key: key };
      const { Body } = await client.send(new GetObjectCommand(input)).catch(missing);
      const hash = createHash('sha256');
      await pipeline(Body as Readable, verify(expected, hash), createWriteStream(path));
      return { bytes: expected.bytes, sha256: hash.digest('hex') };
    },
    list: (prefix) => listKeys(client, bucket, prefix),
    listPage: (prefix, after) => listPage(client, { bucket, prefix, after }),
    delete: (keys) => deleteObjects(client, bucket, keys),
    deletePrefix: (prefix) => deletePrefix(client, bucket, prefix),
    abortUploads: async (prefixes, before) => {
      let aborted = 0;
      for (const prefix of prefixes) {
        aborted += await abortUploads(client, { bucket, prefix, before });
      }
      return aborted;
    },
    close: () => {
      client.destroy();
      streamClient.destroy();
      publicClient.destroy();
    },
  };
}

function missing(error: unknown): never {
  if (error instanceof NoSuchKey) throw new ObjectMissing('no such object', { cause: error });
  throw error;
}

async function bytesOf({ Body, ContentLength }: GetObjectCommandOutput): Promise<Buffer> {
  const { buffer, byteOffset, byteLength } = await Body!.transformToByteArray().catch(damaged);
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  if (bytes.length !== ContentLength) throw new ObjectDamaged('the read was truncated');
  return bytes;
}

interface StartRequest {
  readonly bucket: string;
  readonly key: string;
  readonly limit: number;
}

async function readStart(
  client: S3Client,
  { bucket, key, limit }: StartRequest,
): Promise<ObjectStart | null> {
  const input = { Bucket: bucket, Key: key, Range: `bytes=0-${limit - 1}` };
  try {
    const answer = await client.send(new GetObjectCommand(input));
    const start = await bytesOf(answer);
    // A store may leave the range out when it is the whole object.
    const bytes = Number(/\d+$/.exec(answer.ContentRange ?? '')?.[0] ?? start.length);
    if (start.length === Math.min(bytes, limit)) return { bytes, start };
  } catch (error) {
    if (error instanceof NoSuchKey) return null;
    // An empty object has no first byte.
    const status = error instanceof S3ServiceException && error.$metadata.httpStatusCode;
    if (status === 416) return { bytes: 0, start: Buffer.alloc(0) };
    throw error;
  }
  throw new ObjectDamaged('the read of a range was truncated');
}

interface Presigning extends PresignedPut {
  readonly bucket: string;
  readonly key: string;
  readonly encryption: Encryption | null;
  readonly signingDate: Date;
}

/** Length, write-once and encryption are signed, so that none can be left out. */
async function presignPut(client: S3Client, presigning: Presigning): Promise<PresignedUpload> {
  const { bucket, key, bytes, lifetimeSeconds, encryption, signingDate } = presigning;
  const input = { Bucket: bucket, Key: key, ContentLength: bytes, IfNoneMatch: '*' };
  const lastsUntil = Date.now() + lifetimeSeconds * 1_000;
  // Those of a role last for an hour or so, and are renewed only in their last minutes.
  const { expiration } = await client.config.credentials();
  const encrypted = encryptionHeaders(encryption);
  const inHeaders = ['if-none-match', ...Object.keys(encrypted)];
  const url = await getSignedUrl(client, new PutObjectCommand(input), {
    expiresIn: lifetimeSeconds,
    signingDate,
    signableHeaders: new Set(['content-length', ...inHeaders]),
    unhoistableHeaders: new Set(inHeaders),
  });
  const headers = { 'Content-Length': String(bytes), 'If-None-Match': '*', ...encrypted };
  const expiresAt = new Date(Math.min(lastsUntil, expiration?.getTime() ?? lastsUntil));
  return { url, headers, expiresAt };
}
