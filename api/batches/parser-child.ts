// The child process that parses large batch bodies, so that they neither block the API's event loop
// nor exhaust its memory; exhausted memory in a thread would end the whole process.
import type { RequestedItem } from '../../models/contract/batch-item.ts';
import { ServiceError, type ErrorCode } from '../../models/contract/errors.ts';
import type { Answer } from '../offload/messages.ts';
import { serveParent } from '../offload/serve-parent.ts';
import { parseBatch, type ParsedBatch } from './parse-batch.ts';

export type ParsedHead =
  | ({ readonly kind: 'parsed' } & Omit<ParsedBatch, 'items'>)
  | {
      readonly kind: 'rejected';
      readonly code: ErrorCode;
      readonly message: string;
      readonly param: string | null;
    };

const maxPieceItems = 256;
const maxPieceCharacters = 65_536;

serveParent<null, ParsedHead, readonly RequestedItem[]>(parse);

function parse(body: Buffer): Answer<ParsedHead, readonly RequestedItem[]> {
  try {
    const { items, ...rest } = parseBatch(body);
    return { head: { kind: 'parsed', ...rest }, pieces: inPieces(items) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, message, param } = error;
    return { head: { kind: 'rejected', code, message, param }, pieces: [] };
  }
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
