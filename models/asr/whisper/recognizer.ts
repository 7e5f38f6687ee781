// A whisper bundle as one recognizer: sessions, vocabulary and settings loaded together.
import { join } from 'node:path';
import { atLeastLevel } from '../../audio/common-level.ts';
import { sampleRate } from '../../audio/sample-rate.ts';
import { whisperSettingsSchema, type WhisperManifest } from '../../bundles/manifest.ts';
import { readModelFile } from '../../bundles/store.ts';
import { createGraphSession } from '../../onnx/graph-session.ts';
import type { Session, Tensor } from '../../onnx/session.ts';
import { float32Tensor } from '../../onnx/tensor.ts';
import type { LanguageProbabilities } from '../transcript.ts';
import type { SpelledWord } from '../spelled-words.ts';
import { withPieceIndex } from '../terms/prefer-terms.ts';
import { attendedWords, writtenText, type AttendedWords } from './word-attention.ts';
import { knowsEnglishOnly, type WhisperModel } from './attempt.ts';
import { createWhisperDecoder } from './decoder.ts';
import { encodeWhisper, type WhisperEncoding } from './encoder.ts';
import { paddedWindow, type PaddedWindow } from './padded-window.ts';
import { transcribe, tryOnce, type ChunkToTranscribe } from './temperature-fallback.ts';
import { parseWhisperVocabulary } from './tokens.ts';

export interface RecognisedChunk {
  /** null if no language was selected; then nothing is transcribed. */
  readonly language: string | null;
  readonly languages: LanguageProbabilities;
  /** '' without speech. */
  readonly text: string;
  /** null without speech, and unless words were requested. */
  readonly words: AttendedWords | null;
}

export interface WhisperRecognizer {
  readonly confidence: WhisperManifest['confidence'];
  /**
   * Text of chunks, each in its language; the text of a chunk does not depend on the other chunks.
   * @param options words: with the attention that their times are computed from
   */
  recognise(
    chunks: readonly ChunkToTranscribe[],
    options: { readonly words: boolean },
  ): Promise<readonly RecognisedChunk[]>;
  /**
   * Words of chunks by one attempt: [] without speech, null where the text is rejected.
   */
  spell(chunks: readonly ChunkToTranscribe[]): Promise<readonly (readonly SpelledWord[] | null)[]>;
}

export async function loadWhisper(
  directory: string,
  manifest: WhisperManifest,
): Promise<WhisperRecognizer> {
  const [encoder, model] = await Promise.all([
    openGraphs(directory, manifest, 'encoder'),
    loadModel(directory, manifest),
  ]);
  const isEnglishOnly = knowsEnglishOnly(model.tokens);
  // A model of one language keeps its words at a thirtieth of their level.
  const levelled = isEnglishOnly ? (samples: Float32Array) => samples : atLeastLevel;
  const encode = (samples: Float32Array, window: PaddedWindow): Promise<WhisperEncoding> =>
    encodeWhisper(encoder, manifest, levelled(samples), window);
  const durationSeconds = ({ length }: Float32Array): number => length / sampleRate;
  const usual = isEnglishOnly ? 'sparse' : 'dense';
  const windowOf = ({ samples, detectionOnly = false }: ChunkToTranscribe): PaddedWindow =>
    paddedWindow(samples.length, detectionOnly ? 'detection' : usual);
  const transcription = { ...model, encode, durationSeconds, windowOf };
  return {
    confidence: manifest.confidence,
    recognise: async (chunks, { words }) => {
      const transcribed = await transcribe({ ...transcription, attention: words }, chunks);
      return transcribed.map(({ written, ...detected }, i) => {
        const { terms = [] } = chunks[i]!;
        return {
          ...detected,
          text: written ? writtenText(written, model.vocabulary, terms) : '',
          words: words && written ? attendedWords(written, model.vocabulary, terms) : null,
        };
      });
    },
    spell: async (chunks) => {
      const tried = await tryOnce({ ...transcription, attention: false }, chunks);
      return tried.map(({ outcome }, i) => {
        if (!outcome) return null;
        const { written } = outcome;
        const { terms = [] } = chunks[i]!;
        return (written && attendedWords(written, model.vocabulary, terms)?.words) ?? [];
      });
    },
  };
}

export async function loadModel(
  directory: string,
  manifest: WhisperManifest,
): Promise<WhisperModel> {
  const [session, settingsFile, vocabularyFile] = await Promise.all([
    openGraphs(directory, manifest, 'decoder'),
    readModelFile(join(directory, manifest.settings)),
    readModelFile(join(directory, manifest.vocabulary)),
  ]);
  const settings = whisperSettingsSchema.parse(JSON.parse(new TextDecoder().decode(settingsFile)));
  const { suppress_ids: always, suppress_ids_begin: first } = settings;
  return {
    decoder: createWhisperDecoder(session, manifest),
    vocabulary: withPieceIndex(parseWhisperVocabulary(vocabularyFile), ' '),
    tokens: {
      ...manifest.tokens,
      languages: manifest.languageTokens,
      forbidden: biasAgainst(always, manifest),
      forbiddenFirst: biasAgainst([...always, ...first], manifest),
    },
  };
}

/** The graphs of a bundle that was converted are beside its weights. */
export function openGraphs(
  directory: string,
  manifest: WhisperManifest,
  part: 'encoder' | 'decoder',
): Promise<Session> {
  const { graphs, weights } = manifest[part];
  const isConverted = manifest.source.kind === 'folder';
  return createGraphSession(graphs, directory, [weights], {
    ...(isConverted && { graphFolder: directory }),
    // A step of the decoder takes as long with two threads as with one.
    widens: part === 'encoder',
    weightBits: manifest.weightBits,
  });
}

/** Tokens after the end token mark languages, tasks and times, and are never generated. */
function biasAgainst(
  never: readonly number[],
  { vocabularySize, tokens }: WhisperManifest,
): Tensor {
  const bias = new Float32Array(vocabularySize).fill(-Infinity, tokens.endOfText + 1);
  for (const token of never) bias[token] = -Infinity;
  return float32Tensor(bias, [vocabularySize]);
}
