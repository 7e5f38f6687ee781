// Whether what is read from object storage is what was stored.
import { createHash } from 'node:crypto';
import type { StoredStream } from './object-upload.ts';

/** What came is not what was stored: asking again may bring it. */
export class ObjectDamaged extends Error {
  override readonly name = 'ObjectDamaged';
}

/** What is known of an object that is read; the hash where one was kept. */
export type Expected = Pick<StoredStream, 'bytes'> & { readonly sha256?: string | undefined };

/** The client says in words alone that the checksum is another one. */
export function damaged(error: unknown): never {
  if (error instanceof Error && error.message.startsWith('Checksum mismatch')) {
    throw new ObjectDamaged('a read with a wrong checksum', { cause: error });
  }
  throw error;
}

/** Passes bytes on and ends with an error when they are not those that were stored. */
export function verify({ bytes: wanted, sha256 }: Expected) {
  return async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const block of source) {
      if (sha256 !== undefined) hash.update(block);
      bytes += block.length;
      yield block;
    }
    if (bytes !== wanted) throw new ObjectDamaged(`${bytes} bytes came of ${wanted}`);
    if (sha256 !== undefined && hash.digest('hex') !== sha256) {
      throw new ObjectDamaged('a read with another sha256');
    }
  };
}
