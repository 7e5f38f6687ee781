// Which recogniser a request's model uses: what an operator has assigned to it, or the default.
import type { LanguageChoice } from '../asr/whisper/language-detection.ts';
import type { ChunkRecognizer, RecognisedText } from './chunk-recognizer.ts';
import type { ChunkAnalysis, ChunkRequest } from './jobs.ts';
import type { EnglishSound } from './english-sound.ts';
import type { LoadedModels } from './loaded-models.ts';
import type { AssignedRecognizers } from './open-recognizers.ts';

export interface Requesting {
  readonly request: ChunkRequest;
}

/** A chunk whose words are to be recognised. */
export interface ChunkToRecognise extends Requesting {
  readonly pcm: Float32Array;
  /** null where the chunk cannot be English, or hardly is. */
  readonly sound: EnglishSound | null;
}

/** The words of a chunk, and its language. */
export type Recognised = Pick<ChunkAnalysis, 'words' | 'language' | 'languages' | 'english'>;

const nothingAssigned: AssignedRecognizers = {};

export function assignedTo(models: LoadedModels, { model }: ChunkRequest): AssignedRecognizers {
  return (model === undefined ? undefined : models.assigned.get(model)) ?? nothingAssigned;
}

/** null where no model for other languages is loaded. */
export function otherLanguagesOf(
  models: LoadedModels,
  request: ChunkRequest,
): ChunkRecognizer | null {
  return assignedTo(models, request).otherLanguages ?? models.transcriber;
}

/** @throws when its weights are missing */
export function required(recognizer: ChunkRecognizer | null): ChunkRecognizer {
  if (!recognizer) throw new Error('no model for text in several languages is loaded');
  return recognizer;
}

interface RecogniseOptions {
  readonly recognizerOf: (chunk: ChunkToRecognise) => ChunkRecognizer;
  readonly languageOf: (chunk: ChunkToRecognise) => LanguageChoice;
  readonly words: boolean;
}

/** The chunks of each recogniser together. */
export async function recogniseEach(
  chunks: readonly ChunkToRecognise[],
  { recognizerOf, languageOf, words }: RecogniseOptions,
): Promise<ReadonlyMap<ChunkToRecognise, RecognisedText>> {
  const recognised = new Map<ChunkToRecognise, RecognisedText>();
  for (const [recognizer, own] of Map.groupBy(chunks, recognizerOf)) {
    const texts = await recognizer.recognise(
      own.map((chunk) => ({
        ...{ samples: chunk.pcm, language: languageOf(chunk) },
        terms: chunk.request.vocabulary ?? [],
        detectionOnly: chunk.request.detectionOnly ?? false,
        compare: chunk.request.compareReadings ?? false,
      })),
      { words },
    );
    own.forEach((chunk, i) => recognised.set(chunk, texts[i]!));
  }
  return recognised;
}
