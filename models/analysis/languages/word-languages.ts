// The language of each word: that of the chunk in which it was recognised.
import type { Word } from '../../asr/transcript.ts';
import type { AnalyzedChunk } from '../analyzed-chunk.ts';

export type LanguageOfWord = (word: Word) => string;

/** @returns English for a word of no chunk, and for those of a chunk without a language */
export function wordLanguages(
  chunks: readonly Pick<AnalyzedChunk, 'words' | 'language'>[],
): LanguageOfWord {
  const languages = new Map(
    chunks.flatMap(({ words, language }) => words.map((word) => [word, language ?? 'en'] as const)),
  );
  return (word) => languages.get(word) ?? 'en';
}
