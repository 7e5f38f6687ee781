// Bytes on their way between the API and a process that works for it, in pieces.

const pieceBytes = 262_144;

/** Each piece has a deadline of its own, and blocks the event loop for its length. */
export function* bytePieces(blocks: readonly Uint8Array[]): Generator<Uint8Array> {
  for (const block of blocks) {
    for (let at = 0; at < block.length; at += pieceBytes) {
      yield block.subarray(at, at + pieceBytes);
    }
  }
}
