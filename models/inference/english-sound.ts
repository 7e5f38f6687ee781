// What Moonshine's encoder makes of a chunk that may be English.
import type { LogOddsOfParts } from '../asr/english-head.ts';
import { keepLayers, lastLayer, type EncodedSpeech } from '../asr/moonshine-encoder.ts';
import type { LoadedModels } from './loaded-models.ts';

export interface EnglishSound {
  /** The layers that decoder and aligner read: those of all chunks of a job are held together. */
  readonly encoded: EncodedSpeech;
  /** Log-odds of English, from the encoder's output alone. */
  readonly soundLogOdds: number;
  /** Where they are lowest and highest; null where nobody asked. */
  readonly ofParts: LogOddsOfParts | null;
}

/** @param encoded by the recogniser's encoder, all layers; those that are not kept are freed */
export function englishSound(
  { recognizer: { englishHead, phoneScorer } }: LoadedModels,
  encoded: EncodedSpeech,
  { inParts = false } = {},
): EnglishSound {
  const { whole, ofParts } = englishHead.logOdds(encoded, { inParts });
  const kept = keepLayers(encoded, [lastLayer, ...phoneScorer.layers]);
  return { encoded: kept, soundLogOdds: whole, ofParts };
}
