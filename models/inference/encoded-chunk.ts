// A chunk with what the recogniser's encoder makes of it, which the heads read as well.
import { freeLayers, type EncodedSpeech } from '../asr/moonshine-encoder.ts';
import type { ChunkToRecognise } from './assigned-recognizers.ts';
import type { LoadedModels } from './loaded-models.ts';

export interface EncodedChunk extends Pick<ChunkToRecognise, 'request' | 'pcm'> {
  /** By the recogniser's encoder; null where it did not run. */
  readonly encoded: EncodedSpeech | null;
}

/**
 * What the heads' encoder makes of the chunk, for as long as the callback runs: the recogniser's
 * states where both are one, else those of a pass of its own.
 */
export async function withFeatures<T>(
  { recognizer, features }: LoadedModels,
  { pcm, encoded }: EncodedChunk,
  read: (layers: EncodedSpeech) => Promise<T>,
): Promise<T> {
  if (encoded && recognizer.encoder === features.encoder) return read(encoded);
  const layers = await features.encoder.encode(pcm);
  return read(layers).finally(() => freeLayers(layers));
}
