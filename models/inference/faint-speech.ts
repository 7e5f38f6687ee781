// Whether there is speech where voice activity or the recogniser is unsure: the speech check says.
import { wordsNeeded, type SpeechEvidence } from '../affect/no-speech.ts';
import { areUnsure } from '../asr/second-opinion.ts';
import type { TimeSpan } from '../audio/samples.ts';
import type { ChunkToRecognise, Recognised } from './assigned-recognizers.ts';
import { withFeatures, type EncodedChunk } from './encoded-chunk.ts';
import type { ScoredSpan } from './jobs.ts';
import type { LoadedModels } from './loaded-models.ts';
import { evidenceOf } from './unsaid-spans.ts';

/**
 * True for every chunk of which voice activity is sure; of another the check has to be: of words a
 * third is below, of other sounds one in fifteen is not (models/weights/speech-check.md).
 */
export async function passesSpeechCheck(
  models: LoadedModels,
  chunk: EncodedChunk,
): Promise<boolean> {
  const { isFaint, spans, faintSpeech = spans } = chunk.request;
  if (!isFaint) return true;
  const heard = await hear(models, { chunk, spans: faintSpeech });
  return heard.some((evidence) => wordsNeeded(evidence) === 'none');
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
    const known = evidenceOf(models, { chunk, spans: scores.get(chunk) ?? [] });
    const asked = { chunk: { request, pcm, encoded: null }, spans: request.spans };
    const heard = known.length > 0 ? known : await hear(models, asked);
    if (!heard.some(mayBeUnsure)) kept.set(chunk, { ...found, words: [] });
  }
  return kept;
}

/** Words are heard in what sounds like speech, sure or not. */
function mayBeUnsure(evidence: SpeechEvidence): boolean {
  const needed = wordsNeeded(evidence);
  return needed === 'none' || needed === 'any';
}

interface AskedSpans {
  readonly chunk: EncodedChunk;
  readonly spans: readonly TimeSpan[];
}

function hear(
  models: LoadedModels,
  { chunk, spans }: AskedSpans,
): Promise<readonly SpeechEvidence[]> {
  return withFeatures(models, chunk, (layers) => {
    return models.speechCheck.hear(layers, chunk.pcm, spans);
  });
}
