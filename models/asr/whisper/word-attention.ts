// The transcribed words, each with the attention at its tokens.
import { groupTokens, spellWord, type DecodedToken, type SpelledWord } from '../vocab.ts';
import type { AttendedTokens } from './attempt.ts';
import type { Attention } from './decoder.ts';
import type { WhisperVocabulary } from './vocabulary.ts';

export interface AttendedWord extends SpelledWord {
  readonly tokens: number;
}

export interface AttendedWords {
  /** Not empty; the tokens of all words, in order, are all tokens but the end token. */
  readonly words: readonly AttendedWord[];
  /** Of each token and of the end token. */
  readonly attention: readonly Attention[];
}

/** null without a word. */
export function attendedWords(
  { tokens, ended, attention }: AttendedTokens,
  vocabulary: WhisperVocabulary,
): AttendedWords | null {
  const isMark = (group: readonly DecodedToken[]): boolean =>
    !/[\p{L}\p{N}]/u.test(spellWord(group, vocabulary).word);
  const groups: DecodedToken[][] = [];
  for (const group of groupTokens(ended ? tokens.slice(0, -1) : tokens, vocabulary)) {
    const last = groups.at(-1);
    // A dash or a lone mark is not a word and stays with its neighbour.
    if (last && (isMark(last) || isMark(group))) last.push(...group);
    else groups.push([...group]);
  }
  const words = groups.map((group) => ({
    ...{ ...spellWord(group, vocabulary), tokens: group.length },
  }));
  return words.some(({ word }) => word !== '') ? { words, attention } : null;
}
