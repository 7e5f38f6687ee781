// Words of English chunks with their times: Moonshine's, and where it is unsure of them those of
// a larger model, aligned to the same frames (docs/adr/0057).
import { timeWords, type WordAlignerOptions } from '../alignment/word-aligner.ts';
import { isSecondPreferred, isUnsure } from '../asr/second-opinion.ts';
import type { Word } from '../asr/transcript.ts';
import type { EncodedSpeech } from '../asr/moonshine-encoder.ts';
import type { SpelledWord } from '../asr/vocab.ts';
import { models as publicModels } from '../contract/served-models.ts';
import type { ChunkToRecognise } from './assigned-recognizers.ts';
import type { LoadedModels } from './loaded-models.ts';

/** A chunk as Moonshine has decoded it. */
export interface SpelledChunk {
  readonly chunk: ChunkToRecognise;
  readonly encoded: EncodedSpeech;
  readonly spelled: readonly SpelledWord[];
}

interface TimedChunk<T extends SpelledChunk> {
  readonly draft: T;
  readonly words: readonly Word[];
}

/** The words of each chunk with their times, in the order of the chunks. */
export async function timeEnglish<T extends SpelledChunk>(
  models: LoadedModels,
  drafts: readonly T[],
): Promise<readonly TimedChunk<T>[]> {
  const { wordAligner } = models.recognizer;
  const timed: TimedChunk<T>[] = [];
  for (const draft of drafts) {
    timed.push({ draft, words: await align(models, draft, wordAligner.confidence) });
  }
  const reader = models.secondReader;
  const unsure = timed.filter((each) => isUnsure(each.words) && hasSecondOpinion(each.draft));
  if (!reader || unsure.length === 0) return timed;
  const readings = await reader.spell(
    unsure.map(({ draft: { chunk } }) => ({
      ...{ samples: chunk.pcm, language: 'en' },
      terms: chunk.request.vocabulary ?? [],
    })),
  );
  const kept = new Map<T, readonly Word[]>();
  for (const [i, { draft, words }] of unsure.entries()) {
    const spelled = readings[i];
    if (!spelled) continue;
    const second = await align(models, { ...draft, spelled }, reader.confidence);
    if (isSecondPreferred(words, second)) kept.set(draft, second);
  }
  return timed.map(({ draft, words }) => ({ draft, words: kept.get(draft) ?? words }));
}

async function align(
  { recognizer: { phoneScorer, wordAligner } }: LoadedModels,
  { spelled, encoded }: SpelledChunk,
  confidence: WordAlignerOptions['confidence'],
): Promise<readonly Word[]> {
  if (spelled.length === 0) return [];
  const { pronouncer } = wordAligner;
  return timeWords(spelled, await phoneScorer.score(encoded), { pronouncer, confidence });
}

function hasSecondOpinion({ chunk: { request } }: SpelledChunk): boolean {
  const row = publicModels.find(({ id }) => id === request.model);
  return row?.parts.secondOpinion !== undefined;
}
