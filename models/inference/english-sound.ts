// What Moonshine's encoder makes of a chunk that may be English.
import { keepLayers, lastLayer, type EncodedSpeech } from '../asr/moonshine-encoder.ts';
import type { LoadedModels } from './loaded-models.ts';

export interface EnglishSound {
  /** The layers that decoder and aligner read: those of all chunks of a job are held together. */
  readonly encoded: EncodedSpeech;
  /** Log-odds of English, from the encoder's output alone. */
  readonly soundLogOdds: number;
}

/** @param encoded by the recogniser's encoder, all layers; those that are not kept are freed */
export function englishSound(
  { recognizer: { englishHead, phoneScorer } }: LoadedModels,
  encoded: EncodedSpeech,
): EnglishSound {
  const soundLogOdds = englishHead.logOdds(encoded);
  return { encoded: keepLayers(encoded, [lastLayer, ...phoneScorer.layers]), soundLogOdds };
}
