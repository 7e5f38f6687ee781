// The child process that parses large batch bodies, so that they neither block the API's event loop
// nor exhaust its memory; exhausted memory in a thread would end the whole process.
import type { RequestedItem } from '../../models/contract/batch-item.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { parseBatch } from './parse-batch.ts';
import type { FromParser, ToParser } from './parser-messages.ts';

/** Items are sent in pieces, because copying one blocks the event loop for its length. */
const maxPieceItems = 256;
const maxPieceCharacters = 65_536;

let pieces: Generator<readonly RequestedItem[]> | null = null;

let blocks: Uint8Array[] = [];

process.on('message', (message: ToParser) => {
  if (message.kind === 'bytes') blocks.push(message.bytes);
  else process.send!(message.kind === 'parse' ? parse() : next());
});
// A parent that was killed cannot stop this process.
process.once('disconnect', () => process.exit(0));

function parse(): FromParser {
  const body = Buffer.concat(blocks);
  blocks = [];
  try {
    const { head, items, fingerprint } = parseBatch(body);
    pieces = inPieces(items);
    return { kind: 'parsed', head, fingerprint };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, message, param } = error;
    return { kind: 'rejected', code, message, param };
  }
}

function next(): FromParser {
  const { value, done } = pieces?.next() ?? { done: true };
  if (done) pieces = null;
  return { kind: 'items', items: done ? null : value! };
}

function* inPieces(items: readonly RequestedItem[]): Generator<readonly RequestedItem[]> {
  let piece: RequestedItem[] = [];
  let characters = 0;
  for (const item of items) {
    piece.push(item);
    for (const [key, value] of Object.entries(item.metadata)) {
      characters += key.length + value.length;
    }
    if (piece.length < maxPieceItems && characters < maxPieceCharacters) continue;
    yield piece;
    piece = [];
    characters = 0;
  }
  if (piece.length > 0) yield piece;
}
