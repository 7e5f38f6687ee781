// Chunks of the models that write texts in whatever language is spoken: their texts, or the words
// of these where a request needs their times.
import { decideLanguage } from '../asr/language-decision.ts';
import type { WrittenText } from '../asr/transcript.ts';
import { likeliestLanguage } from '../asr/whisper/language-detection.ts';
import { writesTexts } from '../contract/served-models.ts';
import {
  assignedTo,
  recogniseEach,
  required,
  type ChunkToRecognise,
  type Recognised,
} from './assigned-recognizers.ts';
import type { ChunkRecognizer } from './chunk-recognizer.ts';
import type { ChunkRequest } from './jobs.ts';
import type { LoadedModels } from './loaded-models.ts';

/** The texts of the chunks whose requests ask for them, each in its likeliest language. */
export async function transcribeChunks(
  models: LoadedModels,
  chunks: readonly ChunkToRecognise[],
): Promise<ReadonlyMap<ChunkToRecognise, WrittenText>> {
  const recognised = await recogniseEach(
    chunks.filter(({ request }) => request.text),
    {
      recognizerOf: ({ request }) => transcriberOf(models, request),
      languageOf: () => likeliestLanguage,
      words: false,
    },
  );
  return new Map(
    Array.from(recognised, ([chunk, { text, language }]) => {
      return [chunk, { text, language: language! }] as const;
    }),
  );
}

/** The words of the chunks of such models, by what would write their texts. */
export async function wordsByTranscriber(
  models: LoadedModels,
  chunks: readonly ChunkToRecognise[],
): Promise<ReadonlyMap<ChunkToRecognise, Recognised>> {
  const recognised = await recogniseEach(
    chunks.filter(({ request }) => writesTexts(request.model)),
    {
      recognizerOf: ({ request }) => transcriberOf(models, request),
      languageOf: ({ request: { language, prior = {}, detectionOnly } }) =>
        language ?? ((detected) => (detectionOnly ? null : decideLanguage({ detected, prior }))),
      words: true,
    },
  );
  return new Map(
    Array.from(recognised, ([chunk, { words, language, languages }]) => {
      return [chunk, { words, language, languages, english: null }] as const;
    }),
  );
}

/** @throws when its weights are missing */
function transcriberOf(models: LoadedModels, request: ChunkRequest): ChunkRecognizer {
  return assignedTo(models, request).transcription ?? required(models.transcriber);
}
