// Whether there is speech where voice activity or the recogniser is unsure: the speech check says.
import { minSpeechLogit, sureSpeechLogit } from '../affect/no-speech.ts';
import type { TimeSpan } from '../affect/head.ts';
import { meanConfidence } from '../asr/second-opinion.ts';
import type { Word } from '../asr/transcript.ts';
import type { ChunkToRecognise, Recognised } from './assigned-recognizers.ts';
import { withFeatures, type EncodedChunk } from './encoded-chunk.ts';
import type { ScoredSpan } from './jobs.ts';
import type { LoadedModels } from './loaded-models.ts';
import { speechLogits } from './unsaid-spans.ts';

/** Words of a lower mean confidence may be made of a sound: "You", "Thank you." */
const minSureConfidence = 0.5;

/**
 * True for every chunk of which voice activity is sure; of another the check has to be: of words a
 * third is below, of other sounds one in fifteen is not (models/weights/speech-check.md).
 */
export async function passesSpeechCheck(
  models: LoadedModels,
  chunk: EncodedChunk,
): Promise<boolean> {
  const { isFaint, spans, faintSpeech = spans } = chunk.request;
  return (
    !isFaint || (await holdsSpeech(models, { chunk, spans: faintSpeech, least: sureSpeechLogit }))
  );
}

/**
 * Chunks of which voice activity is sure, but not the recogniser: their words stay where the speech
 * check hears speech, as their scores do.
 * @param scores of the chunks, which say what the check has heard where they are requested
 */
export async function withoutUnheardWords(
  models: LoadedModels,
  recognised: ReadonlyMap<ChunkToRecognise, Recognised>,
  scores: ReadonlyMap<ChunkToRecognise, readonly ScoredSpan[]>,
): Promise<ReadonlyMap<ChunkToRecognise, Recognised>> {
  const kept = new Map(recognised);
  for (const [chunk, found] of recognised) {
    const { request, pcm } = chunk;
    const { words } = found;
    // A piece of a chunk whose other words are known has no spans of its own.
    if (words.length === 0 || !areUnsure(words) || request.spans.length === 0) continue;
    const known = speechLogits(models, { chunk, spans: scores.get(chunk) ?? [] });
    const asked = { chunk: { request, pcm, encoded: null }, spans: request.spans };
    const isSpeech =
      known.length > 0
        ? known.some((logit) => logit >= minSpeechLogit)
        : await holdsSpeech(models, { ...asked, least: minSpeechLogit });
    if (!isSpeech) kept.set(chunk, { ...found, words: [] });
  }
  return kept;
}

/** Words of a sound, or none. */
export function areUnsure(words: readonly Word[]): boolean {
  return words.length === 0 || meanConfidence(words) < minSureConfidence;
}

interface AskedSpans {
  readonly chunk: EncodedChunk;
  readonly spans: readonly TimeSpan[];
  /** Logit. */
  readonly least: number;
}

async function holdsSpeech(
  models: LoadedModels,
  { chunk, spans, least }: AskedSpans,
): Promise<boolean> {
  const logits = await withFeatures(models, chunk, (layers) => {
    return models.speechCheck.score(layers, spans);
  });
  return logits.some(([logit]) => logit! >= least);
}
