// Verifies that what is read from object storage is what was stored.
import type { Hash } from 'node:crypto';
import type { StoredStream } from './object-upload.ts';

/** The bytes differ from what was stored; another read may succeed. */
export class ObjectDamaged extends Error {
  override readonly name = 'ObjectDamaged';
}

/** What is known of an object to be read; its hash when one was kept. */
export type Expected = Pick<StoredStream, 'bytes'> & { readonly sha256?: string | undefined };

/** The client reports a wrong checksum only in the text of its error. */
export function damaged(error: unknown): never {
  if (error instanceof Error && error.message.startsWith('Checksum mismatch')) {
    throw new ObjectDamaged('the checksum of the read does not match', { cause: error });
  }
  throw error;
}

/**
 * Passes the bytes on and fails at the end unless they are what was stored.
 * @param hash is updated with the bytes
 */
export function verify({ bytes: wanted, sha256 }: Expected, hash: Hash) {
  return async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0;
    for await (const block of source) {
      hash.update(block);
      bytes += block.length;
      yield block;
    }
    if (bytes !== wanted) throw new ObjectDamaged(`read ${bytes} of ${wanted} bytes`);
    if (sha256 !== undefined && hash.copy().digest('hex') !== sha256) {
      throw new ObjectDamaged('the sha256 of the read does not match');
    }
  };
}
