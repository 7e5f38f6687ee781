// What was written, word by word, with how the model listened as it wrote each.
import { groupTokens, spellWord, type DecodedToken, type SpelledWord } from '../vocab.ts';
import type { AttendedTokens } from './attempt.ts';
import type { Attention } from './decoder.ts';
import type { WhisperVocabulary } from './vocabulary.ts';

export interface AttendedWord extends SpelledWord {
  readonly tokens: number;
}

export interface AttendedWords {
  /** Not empty; all tokens but the end's are theirs, in order. */
  readonly words: readonly AttendedWord[];
  /** Of each token and of the end's. */
  readonly attention: readonly Attention[];
}

/** null when no word was written. */
export function attendedWords(
  { tokens, ended, attention }: AttendedTokens,
  vocabulary: WhisperVocabulary,
): AttendedWords | null {
  const isMark = (group: readonly DecodedToken[]): boolean =>
    !/[\p{L}\p{N}]/u.test(spellWord(group, vocabulary).word);
  const groups: DecodedToken[][] = [];
  for (const group of groupTokens(ended ? tokens.slice(0, -1) : tokens, vocabulary)) {
    const last = groups.at(-1);
    // A dash or a lone mark is no word: it stays with the one beside it.
    if (last && (isMark(last) || isMark(group))) last.push(...group);
    else groups.push([...group]);
  }
  const words = groups.map((group) => ({
    ...{ ...spellWord(group, vocabulary), tokens: group.length },
  }));
  return words.some(({ word }) => word !== '') ? { words, attention } : null;
}
