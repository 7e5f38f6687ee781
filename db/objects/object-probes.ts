// Whether a store answers and accepts writes.
import {
  DeleteObjectCommand,
  HeadBucketCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';

/** Requests that nothing depends on: unlike others they may be aborted. */
export interface ObjectProbes {
  /** One cheap round trip. @throws when the store does not answer or the bucket is gone */
  ping(signal?: AbortSignal): Promise<void>;
  /** Writes an object and deletes it. @throws when the store accepts no writes */
  requireWritable(signal?: AbortSignal): Promise<void>;
}

/** A disk that is almost full still accepts small objects, so the probe is larger. */
const probeBytes = 2 ** 18;
const probeKey = 'probe';

export function createProbes(client: S3Client, bucket: string): ObjectProbes {
  const probe = { Bucket: bucket, Key: probeKey };
  return {
    async ping(signal) {
      await client.send(new HeadBucketCommand({ Bucket: bucket }), until(signal));
    },
    async requireWritable(signal) {
      const put = new PutObjectCommand({ ...probe, Body: Buffer.alloc(probeBytes) });
      await client.send(put, until(signal));
      await client.send(new DeleteObjectCommand(probe), until(signal));
    },
  };
}

function until(signal: AbortSignal | undefined): { readonly abortSignal?: AbortSignal } {
  return signal ? { abortSignal: signal } : {};
}
