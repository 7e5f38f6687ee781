// Words of English chunks with their times: Moonshine's, and where it is unsure of them those of it
// and a larger model together, aligned to the same frames (docs/adr/0057 and 0074).
import type { PhoneScores } from '../alignment/phone-scores.ts';
import { placeWords, timeWords, type WordAlignerOptions } from '../alignment/word-aligner.ts';
import { combineReadings } from '../asr/combine-readings.ts';
import { fitsItsTime } from '../asr/plausibility.ts';
import { isSecondTrusted, isUnsure } from '../asr/second-opinion.ts';
import type { Word } from '../asr/transcript.ts';
import type { EncodedSpeech } from '../asr/moonshine-encoder.ts';
import type { SpelledWord } from '../asr/spelled-words.ts';
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
  const { phoneScorer, wordAligner } = models.recognizer;
  const scores = new Map<T, PhoneScores>();
  /** Both readings of a chunk are aligned to the same scores. */
  const align = async (
    draft: T,
    spelled: readonly SpelledWord[],
    confidence: WordAlignerOptions['confidence'],
  ): Promise<readonly Word[]> => {
    if (spelled.length === 0) return [];
    const own = scores.get(draft) ?? (await phoneScorer.score(draft.encoded));
    scores.set(draft, own);
    const words = timeWords(spelled, own, { ...wordAligner, confidence });
    return fitsItsTime(words) ? words : [];
  };
  const combined = (draft: T, first: readonly Word[], second: readonly Word[]): readonly Word[] => {
    if (first.length === 0 || second.length === 0) return second;
    const words = combineReadings(first, second);
    // Words of both beside each other have to share the sound again.
    const texts = words.map(({ word }) => word);
    const placed = placeWords(texts, scores.get(draft)!, wordAligner.pronouncer);
    return words.map((word, i) => ({ ...word, start: placed[i]!.start, end: placed[i]!.end }));
  };
  const timed: TimedChunk<T>[] = [];
  for (const draft of drafts) {
    timed.push({ draft, words: await align(draft, draft.spelled, wordAligner.confidence) });
  }
  const reader = models.secondReader;
  const unsure = timed.filter(({ draft, words }) => {
    return hasSecondOpinion(draft) && isUnsure(words, draft.encoded.durationSeconds);
  });
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
    const second = await align(draft, spelled, reader.confidence);
    if (isSecondTrusted(words, second)) kept.set(draft, combined(draft, words, second));
  }
  return timed.map(({ draft, words }) => ({ draft, words: kept.get(draft) ?? words }));
}

function hasSecondOpinion({ chunk: { request } }: SpelledChunk): boolean {
  const row = publicModels.find(({ id }) => id === request.model);
  return row?.parts.secondOpinion !== undefined;
}
