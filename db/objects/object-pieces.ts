// An object in pieces, for who does not need it whole: recordings are up to 30 MiB, and many are
// read at once.
import type { ObjectStore } from './object-store.ts';

const pieceBytes = 2 ** 20;

/** @param bytes length of the object */
export async function* objectPieces(
  objects: Pick<ObjectStore, 'getRange'>,
  { key, bytes }: { readonly key: string; readonly bytes: number },
): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes; start += pieceBytes) {
    yield await objects.getRange(key, start, Math.min(bytes, start + pieceBytes));
  }
}
