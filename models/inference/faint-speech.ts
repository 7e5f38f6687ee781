// Whether there is speech where voice activity is unsure: the speech check decides.
import { withFeatures, type EncodedChunk } from './encoded-chunk.ts';
import type { LoadedModels } from './loaded-models.ts';

/**
 * Higher than where voice activity has found speech. Of words of which it is
 * unsure a third is below, of other sounds one in fifteen is not (models/weights/speech-check.md).
 */
const minFaintLogit = 3;

/** True for every chunk of which voice activity is sure. */
export async function passesSpeechCheck(
  models: LoadedModels,
  chunk: EncodedChunk,
): Promise<boolean> {
  const { isFaint, spans, faintSpeech = spans } = chunk.request;
  if (!isFaint) return true;
  const logits = await withFeatures(models, chunk, (layers) => {
    return models.speechCheck.score(layers, faintSpeech);
  });
  return logits.some(([logit]) => logit! >= minFaintLogit);
}
