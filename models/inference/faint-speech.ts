// Whether there is speech where voice activity is unsure: the speech check decides.
import { freeLayers, type EncodedSpeech } from '../asr/moonshine-encoder.ts';
import type { ChunkToRecognise } from './assigned-recognizers.ts';
import type { LoadedModels } from './loaded-models.ts';

export interface EncodedChunk extends Pick<ChunkToRecognise, 'request' | 'pcm'> {
  /** By the recogniser's encoder; null where it did not run. */
  readonly encoded: EncodedSpeech | null;
}

/**
 * Higher than where voice activity has found speech. Of words of which it is
 * unsure a third is below, of other sounds one in fifteen is not (models/weights/speech-check.md).
 */
const minFaintLogit = 3;

/** True for every chunk of which voice activity is sure. */
export async function holdsSpeech(
  { recognizer, features, speechCheck }: LoadedModels,
  { request: { isFaint, spans }, pcm, encoded }: EncodedChunk,
): Promise<boolean> {
  if (!isFaint) return true;
  const isShared = recognizer.encoder === features.encoder;
  const layers = isShared && encoded ? encoded : await features.encoder.encode(pcm);
  const logits = await speechCheck.score(layers, spans);
  if (layers !== encoded) freeLayers(layers);
  return logits.some(([logit]) => logit! >= minFaintLogit);
}
