// The transcribed words, each with the attention at its tokens.
import {
  groupTokens,
  joinSpelled,
  spellWord,
  type DecodedToken,
  type SpelledWord,
} from '../spelled-words.ts';
import type { AttendedTokens } from './attempt.ts';
import { commonWords, type TermVocabulary } from '../terms/prefer-terms.ts';
import { writeTerms } from '../terms/write-terms.ts';
import type { Attention } from './decoder.ts';
import type { WhisperVocabulary } from './tokens.ts';

export interface AttendedWord extends SpelledWord {
  readonly tokens: number;
}

export interface AttendedWords {
  /** Not empty; the tokens of all words, in order, are all tokens but the end token. */
  readonly words: readonly AttendedWord[];
  /** Of each token and of the end token. */
  readonly attention: readonly Attention[];
}

type Vocabulary = WhisperVocabulary & TermVocabulary;

/** The text with its terms as they are given. */
export function writtenText(
  { text }: AttendedTokens,
  vocabulary: Vocabulary,
  terms: readonly string[],
): string {
  const words = text.split(' ').map((word) => ({ word }));
  const spelling = {
    isCommon: commonWords(vocabulary),
    join: ([first]: readonly { word: string }[]) => first!,
  };
  return writeTerms(words, terms, spelling)
    .map(({ word }) => word)
    .join(' ');
}

/** null without a word. @param terms words and phrases that are written as they are given */
export function attendedWords(
  { tokens, ended, attention }: AttendedTokens,
  vocabulary: Vocabulary,
  terms: readonly string[],
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
  if (words.every(({ word }) => word === '')) return null;
  const spelling = { isCommon: commonWords(vocabulary), join: joinAttended };
  return { words: writeTerms(words, terms, spelling), attention };
}

function joinAttended(words: readonly AttendedWord[]): AttendedWord {
  return { ...joinSpelled(words), tokens: words.reduce((sum, { tokens }) => sum + tokens, 0) };
}
