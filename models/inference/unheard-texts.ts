// Texts of what the speech check takes for another sound stay where their words are sure, as words
// do (faint-speech.ts): "What's that?" for a bow.
import { wordsNeeded } from '../affect/no-speech.ts';
import { areUnsure } from '../asr/second-opinion.ts';
import type { WrittenText } from '../asr/transcript.ts';
import type { ChunkToRecognise } from './assigned-recognizers.ts';
import type { LoadedModels } from './loaded-models.ts';
import { wordsByTranscriber } from './transcribe-chunks.ts';
import { evidenceOf, type ScoredChunk } from './unsaid-spans.ts';

/** A text has no confidence: where it is needed, its words are read again. */
export async function withoutUnheardTexts(
  models: LoadedModels,
  chunks: readonly ScoredChunk[],
): Promise<readonly ScoredChunk[]> {
  const doubtful = new Map<ScoredChunk, ChunkToRecognise>();
  for (const each of chunks) {
    const { chunk, written } = each;
    const needed = evidenceOf(models, each).map(wordsNeeded);
    const isAsked =
      needed.length > 0 && needed.every((words) => words === null || words === 'sure');
    if (!written?.text || !isAsked) continue;
    const request = { ...chunk.request, text: false, words: true, language: written.language };
    doubtful.set(each, { ...chunk, request });
  }
  const read = await wordsByTranscriber(models, [...doubtful.values()]);
  return chunks.map((each) => {
    const asked = doubtful.get(each);
    const isUnheard = asked && areUnsure(read.get(asked)!.words);
    return isUnheard ? { ...each, written: silent(each.written!) } : each;
  });
}

function silent(written: WrittenText): WrittenText {
  return { ...written, text: '' };
}
