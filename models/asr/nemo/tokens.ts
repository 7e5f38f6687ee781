// The tokens of NeMo's recognisers: pieces of SentencePiece by id.
import { wordMark, type TokenPieces } from '../spelled-words.ts';

export interface NemoVocabulary extends TokenPieces {
  /** Ids of what is never written, such as `<blk>` and `<unk>`. */
  readonly markers: ReadonlyMap<string, number>;
}

/** @param file `piece id` on each line */
export function parseNemoVocabulary(file: Uint8Array): NemoVocabulary {
  const pieces: string[] = [];
  for (const line of new TextDecoder().decode(file).split(/\r?\n/)) {
    const [, piece, id] = /^(.*) (\d+)$/.exec(line) ?? [];
    if (piece !== undefined && id !== undefined) pieces[Number(id)] = piece;
  }
  const all = Array.from(pieces, (piece) => piece ?? '');
  const isMarker = (piece: string): boolean => /^<.+>$/.test(piece);
  const written = all.map((piece) => Buffer.from(isMarker(piece) ? '' : piece));
  return {
    size: all.length,
    markers: new Map(all.flatMap((piece, id) => (isMarker(piece) ? [[piece, id]] : []))),
    piece: (token) => written[token] ?? new Uint8Array(0),
    startsWord: (token) => all[token]?.startsWith(wordMark) ?? false,
  };
}
