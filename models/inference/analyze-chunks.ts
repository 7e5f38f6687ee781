// The chunks of a job: an encoder pass each, and another one where scores are read from another
// encoder, and scores as requested; then words with their times, and texts. The decoders take the
// chunks together.
import { englishLogOddsOfSound } from '../asr/language-decision.ts';
import { freeLayers } from '../asr/moonshine-encoder.ts';
import type { ChunkToRecognise, Recognised } from './assigned-recognizers.ts';
import { withFeatures, type EncodedChunk } from './encoded-chunk.ts';
import { englishSound } from './english-sound.ts';
import { passesSpeechCheck, withoutUnheardWords } from './faint-speech.ts';
import type { ChunkAnalysis, ScoredSpan } from './jobs.ts';
import type { LoadedModels } from './loaded-models.ts';
import type { ChunkOfJob } from './messages.ts';
import { mayBeEnglish, recogniseChunks } from './recognise-chunks.ts';
import { transcribeChunks } from './transcribe-chunks.ts';
import { withoutUnheardTexts } from './unheard-texts.ts';
import { scoredOfSpeech } from './unsaid-spans.ts';

type Analysis = Omit<ChunkAnalysis, 'inferenceMs'>;

/** @param samples of all chunks, 16 kHz mono in -1..1, at most 30 s each */
export async function analyzeChunks(
  models: LoadedModels,
  samples: Float32Array,
  chunks: readonly ChunkOfJob[],
): Promise<readonly Analysis[]> {
  const opened: ChunkToRecognise[] = [];
  const scores = new Map<ChunkToRecognise, readonly ScoredSpan[]>();
  let offset = 0;
  for (const { samples: length, request } of chunks) {
    const pcm = samples.subarray(offset, (offset += length));
    const isHeard = request.englishParts ?? mayBeEnglish(models, { request });
    const encoded = isHeard ? await models.recognizer.encoder.encode(pcm) : null;
    const asked = (await passesSpeechCheck(models, { request, pcm, encoded }))
      ? request
      : { ...request, words: false, text: false, head: null };
    const scored = await scoreSpans(models, { request: asked, pcm, encoded });
    // A chunk whose language is fixed, or a piece whose language is sought, holds one.
    const inParts = request.language === null && !request.detectionOnly;
    const sound = encoded && englishSound(models, encoded, { inParts });
    const chunk = { request: asked, pcm, sound };
    opened.push(chunk);
    scores.set(chunk, scored);
  }
  const read = await recogniseChunks(models, opened);
  const recognised = await withoutUnheardWords(models, read, scores);
  for (const { sound } of opened) if (sound) freeLayers(sound.encoded);
  const texts = await transcribeChunks(models, opened);
  const heard = await withoutUnheardTexts(
    models,
    opened.map((chunk) => {
      return { chunk, spans: scores.get(chunk)!, written: texts.get(chunk) ?? null };
    }),
  );
  const scored = await scoredOfSpeech(models, heard);
  return heard.map(({ chunk, written }, i) => ({
    ...(recognised.get(chunk) ?? withoutWords(models, chunk)),
    ...partsOf(models, chunk),
    written,
    scored: scored[i]!,
  }));
}

function partsOf(
  { recognizer }: LoadedModels,
  { sound }: ChunkToRecognise,
): Pick<ChunkAnalysis, 'englishParts'> {
  if (!sound?.ofParts) return {};
  const { odds } = recognizer.englishHead;
  const { least, most } = sound.ofParts;
  return {
    englishParts: {
      least: englishLogOddsOfSound(least, odds),
      most: englishLogOddsOfSound(most, odds),
    },
  };
}

/** Where asked for, whether it sounds like English is said of a chunk without words too. */
function withoutWords(
  { recognizer }: LoadedModels,
  { request: { englishParts }, sound }: ChunkToRecognise,
): Recognised {
  const { odds } = recognizer.englishHead;
  const isAsked = englishParts && sound;
  const english = isAsked ? englishLogOddsOfSound(sound.soundLogOdds, odds) : null;
  return { words: [], language: null, languages: null, english };
}

async function scoreSpans(
  models: LoadedModels,
  chunk: EncodedChunk,
): Promise<readonly ScoredSpan[]> {
  const { head: model, spans } = chunk.request;
  if (model === null) return [];
  const head = models.heads.get(model);
  if (!head) throw new Error(`no head is loaded for ${model}`);
  const readings = await withFeatures(models, chunk, (layers) => {
    return head.read(layers, chunk.pcm, spans);
  });
  return readings.map((row, i) => ({ ...spans[i]!, readings: row }));
}
