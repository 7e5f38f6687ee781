// From token ids to bytes to words: of any recogniser, by the pieces of its own vocabulary.

/** U+2581, which marks a piece that starts a new word. */
export const wordMark = '\u2581';

/** Pieces by token id; empty for what is never written, such as `</s>`. */
export interface TokenPieces {
  readonly size: number;
  piece(token: number): Uint8Array;
  /** True when the piece starts a new word. */
  startsWord(token: number): boolean;
}

/** A decoded token and its log-probability. */
export interface DecodedToken {
  readonly id: number;
  readonly logProbability: number;
}

/** A word without times, with the log-probabilities of its tokens. */
export interface SpelledWord {
  readonly word: string;
  readonly meanLogProbability: number;
  readonly minLogProbability: number;
}

/** Of a mark that is written twice in a row: a decoder says it again where a pause is long. */
const repeatedMark = /([,;:?!،、，；：？！])\1+$/u;

/** Letters, digits, and marks that are spoken: music is written as a note between blanks. */
const spoken = /[\p{L}\p{N}\p{Sc}%&+@#]/u;

/**
 * Groups tokens into words, without dashes and other marks between blanks. Byte-fallback pieces are
 * joined before UTF-8 decoding, so a character may span tokens.
 */
export function spellWords(
  tokens: readonly DecodedToken[],
  vocabulary: Pick<TokenPieces, 'piece' | 'startsWord'>,
): readonly SpelledWord[] {
  return groupTokens(tokens, vocabulary)
    .map((group) => spellWord(group, vocabulary))
    .filter(({ word }) => spoken.test(word));
}

/** Tokens of one written word each; '' where all of a word's pieces are markers. */
export function groupTokens<T extends DecodedToken>(
  tokens: readonly T[],
  vocabulary: Pick<TokenPieces, 'startsWord'>,
): readonly (readonly T[])[] {
  const groups: T[][] = [];
  for (const token of tokens) {
    const last = groups.at(-1);
    if (last === undefined || vocabulary.startsWord(token.id)) groups.push([token]);
    else last.push(token);
  }
  return groups;
}

export function spellWord(
  group: readonly DecodedToken[],
  vocabulary: Pick<TokenPieces, 'piece'>,
): SpelledWord {
  return {
    word: decodeGroup(group, vocabulary).replace(repeatedMark, '$1'),
    meanLogProbability: group.reduce((sum, t) => sum + t.logProbability, 0) / group.length,
    minLogProbability: Math.min(...group.map((token) => token.logProbability)),
  };
}

/** Words that are written as one. @param words not empty */
export function joinSpelled(words: readonly SpelledWord[]): SpelledWord {
  const sum = words.reduce((total, { meanLogProbability }) => total + meanLogProbability, 0);
  return {
    word: words.map(({ word }) => word).join(' '),
    meanLogProbability: sum / words.length,
    minLogProbability: Math.min(...words.map(({ minLogProbability }) => minLogProbability)),
  };
}

function decodeGroup(
  group: readonly DecodedToken[],
  vocabulary: Pick<TokenPieces, 'piece'>,
): string {
  const bytes = Buffer.concat(group.map((token) => vocabulary.piece(token.id)));
  return bytes.toString('utf8').replaceAll(wordMark, ' ').trim();
}
