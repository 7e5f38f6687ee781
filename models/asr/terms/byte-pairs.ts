// Tokens of a written word by byte-pair encoding (Sennrich et al. 2016), as GPT-2 and SentencePiece
// number their pieces: in the order in which they are merged, so the id is the rank; pure.

/** The pieces of a recogniser's vocabulary, by their bytes. */
export interface PieceIndex {
  /** @param bytes as Latin-1 */
  id(bytes: string): number | undefined;
}

interface Pieces {
  readonly size: number;
  piece(token: number): Uint8Array;
}

export function indexPieces(vocabulary: Pieces): PieceIndex {
  const ids = new Map<string, number>();
  for (let token = 0; token < vocabulary.size; token += 1) {
    const bytes = Buffer.from(vocabulary.piece(token)).toString('latin1');
    // SentencePiece has most characters twice: first as a byte, which stands for unknown ones only.
    if (bytes !== '') ids.set(bytes, token);
  }
  return { id: (bytes) => ids.get(bytes) };
}

/**
 * @param written one word, after the mark that a new word begins with
 * @returns null when the vocabulary cannot spell it
 */
export function encodeWord(index: PieceIndex, written: string): readonly number[] | null {
  const pieces = Array.from(written).flatMap((character) => {
    const bytes = Buffer.from(character).toString('latin1');
    return index.id(bytes) === undefined ? Array.from(bytes) : [bytes];
  });
  for (let at = bestPair(index, pieces); at !== null; at = bestPair(index, pieces)) {
    pieces.splice(at, 2, pieces[at]! + pieces[at + 1]!);
  }
  const ids = pieces.map((bytes) => index.id(bytes));
  return ids.every((id) => id !== undefined) ? ids : null;
}

/** The position of the pair that is merged first; null when none is a piece. */
function bestPair(index: PieceIndex, pieces: readonly string[]): number | null {
  let best: number | null = null;
  let rank = Infinity;
  for (let at = 0; at + 1 < pieces.length; at += 1) {
    const id = index.id(pieces[at]! + pieces[at + 1]!);
    if (id !== undefined && id < rank) [best, rank] = [at, id];
  }
  return best;
}
