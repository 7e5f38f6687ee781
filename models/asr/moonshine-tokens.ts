// Moonshine's tokens: the pieces of its `tokenizer.bin`.
import { wordMark, type TokenPieces } from './spelled-words.ts';

/**
 * Reads `tokenizer.bin`: for each id a length (one byte, or two when the high bit of the first is
 * set: `second * 128 + first - 128`) and that many bytes of UTF-8.
 */
export function parseMoonshineTokens(file: Uint8Array): TokenPieces {
  const pieces: Uint8Array[] = [];
  let offset = 0;
  while (offset < file.length) {
    let length = file[offset++]!;
    if (length >= 128) length = file[offset++]! * 128 + length - 128;
    if (offset + length > file.length) throw new Error('tokenizer.bin ends inside a piece');
    pieces.push(file.subarray(offset, offset + length));
    offset += length;
  }
  const mark = new TextEncoder().encode(wordMark);
  const starts = pieces.map((p) => mark.every((byte, i) => p[i] === byte));
  const written = pieces.map((p) => (isSpecial(p) ? new Uint8Array(0) : p));
  return {
    size: pieces.length,
    piece: (token) => written[token] ?? new Uint8Array(0),
    startsWord: (token) => starts[token] ?? false,
  };
}

function isSpecial(piece: Uint8Array): boolean {
  return /^(<unk>|<s>|<\/s>|<<ST_\d+>>)$/.test(new TextDecoder().decode(piece));
}
