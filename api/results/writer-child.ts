// The child process that serialises long results; an hour of speech would block the event loop for
// 0.1 s.
import { bytePieces } from '../offload/byte-pieces.ts';
import type { Answer } from '../offload/messages.ts';
import { serveParent } from '../offload/serve-parent.ts';
import { writeResult, type ResultOrigin, type WantedText } from './write-result.ts';

export interface WriteRequest {
  readonly origin: ResultOrigin;
  readonly wanted: WantedText;
}

export type WrittenHead =
  { readonly kind: 'written' } | { readonly kind: 'failed'; readonly reason: string };

serveParent<WriteRequest, WrittenHead, Uint8Array>(write);

function write(stored: Buffer, { origin, wanted }: WriteRequest): Answer<WrittenHead, Uint8Array> {
  try {
    const text = Buffer.from(writeResult(stored, origin, wanted));
    return { head: { kind: 'written' }, pieces: bytePieces([text]) };
  } catch (error) {
    return { head: { kind: 'failed', reason: String(error) }, pieces: [] };
  }
}
