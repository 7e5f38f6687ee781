// The text of a segment from its words, with numbers in digits where they are requested.
import type { Word } from '../../asr/transcript.ts';
import { formatNumbers } from '../../numbers/format-numbers.ts';
import type { AnalyzedChunk } from '../analyzed-chunk.ts';
import { wordLanguages, type LanguageOfWord } from '../languages/word-languages.ts';

export type TextWriter = (words: readonly Word[]) => string;

/** @param chunks the words to be written are theirs; each chunk is in one language */
export function textWriter(
  chunks: readonly Pick<AnalyzedChunk, 'words' | 'language'>[],
  { formatNumbers: isFormatted }: { readonly formatNumbers: boolean },
): TextWriter {
  if (!isFormatted) return (words) => spellingsOf(words).join(' ');
  const languageOf = wordLanguages(chunks);
  return (words) =>
    runsOf(words, languageOf)
      .map(({ run, language }) => formatNumbers(spellingsOf(run), language))
      .join(' ');
}

function spellingsOf(words: readonly Word[]): readonly string[] {
  return words.map(({ word }) => word);
}

interface Run {
  readonly language: string;
  readonly run: Word[];
}

/** Neighbouring words of one language. */
function runsOf(words: readonly Word[], languageOf: LanguageOfWord): readonly Run[] {
  const runs: Run[] = [];
  for (const word of words) {
    const language = languageOf(word);
    const last = runs.at(-1);
    if (last?.language === language) last.run.push(word);
    else runs.push({ language, run: [word] });
  }
  return runs;
}
