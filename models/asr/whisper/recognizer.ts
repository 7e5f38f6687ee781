// A whisper bundle as one recognizer: sessions, vocabulary and settings loaded together.
import { join } from 'node:path';
import { sampleRate } from '../../audio/sample-rate.ts';
import { whisperSettingsSchema, type WhisperManifest } from '../../bundles/manifest.ts';
import { readModelFile } from '../../bundles/store.ts';
import { createGraphSession } from '../../onnx/graph-session.ts';
import type { Tensor } from '../../onnx/session.ts';
import { float32Tensor } from '../../onnx/tensor.ts';
import type { LanguageProbabilities, WrittenText } from '../transcript.ts';
import { attendedWords, type AttendedWords } from './attended-words.ts';
import type { WhisperModel } from './attempt.ts';
import { createWhisperDecoder } from './decoder.ts';
import { clipFrames, encodeWhisper, type WhisperEncoding } from './encoder.ts';
import { languageProbabilities, likeliestLanguage } from './language-choice.ts';
import { transcribe, type ChunkToTranscribe } from './temperature-fallback.ts';
import { parseWhisperVocabulary } from './vocabulary.ts';

export interface RecognisedChunk {
  /** null if no language was selected; then there are no words. */
  readonly language: string | null;
  readonly languages: LanguageProbabilities;
  /** null without speech. */
  readonly words: AttendedWords | null;
}

export interface WhisperRecognizer {
  readonly confidence: WhisperManifest['confidence'];
  /**
   * Words of chunks, each in its language; the words of a chunk do not depend on the other chunks.
   */
  recognise(chunks: readonly ChunkToTranscribe[]): Promise<readonly RecognisedChunk[]>;
  /** The probability of each language in a chunk. @param samples as for `transcribe` */
  detect(samples: Float32Array): Promise<LanguageProbabilities>;
  /**
   * Written text of one chunk in the likeliest of the bundle's languages.
   * @param samples 16 kHz mono in -1..1, at most 30 s
   */
  transcribe(samples: Float32Array): Promise<WrittenText>;
}

export async function loadWhisper(
  directory: string,
  manifest: WhisperManifest,
): Promise<WhisperRecognizer> {
  const [encoder, model] = await Promise.all([
    createGraphSession(manifest.encoder.graphs, directory, [manifest.encoder.weights]),
    loadModel(directory, manifest),
  ]);
  const { decoder, tokens } = model;
  const encode = (samples: Float32Array, frames: number): Promise<WhisperEncoding> =>
    encodeWhisper(encoder, manifest, samples, frames);
  const durationSeconds = ({ length }: Float32Array): number => length / sampleRate;
  const transcription = { ...model, encode, durationSeconds };
  return {
    confidence: manifest.confidence,
    transcribe: async (samples) => {
      const chunks = [{ samples, language: likeliestLanguage }];
      const [chunk] = await transcribe({ ...transcription, attention: false }, chunks);
      return { text: chunk!.written?.text ?? '', language: chunk!.language! };
    },
    detect: async (samples) => {
      const rows = decoder.open([await encode(samples, clipFrames(samples.length))]);
      const { forbidden, startOfTranscript, languages } = tokens;
      const [start] = await rows.read([[startOfTranscript]], { forbidden, logits: true });
      return languageProbabilities(start!.logits, languages);
    },
    recognise: async (chunks) => {
      const transcribed = await transcribe({ ...transcription, attention: true }, chunks);
      return transcribed.map(({ written, ...detected }) => ({
        ...detected,
        words: written && attendedWords(written, model.vocabulary),
      }));
    },
  };
}

export async function loadModel(
  directory: string,
  manifest: WhisperManifest,
): Promise<WhisperModel> {
  const [session, settingsFile, vocabularyFile] = await Promise.all([
    createGraphSession(manifest.decoder.graphs, directory, [manifest.decoder.weights]),
    readModelFile(join(directory, manifest.settings)),
    readModelFile(join(directory, manifest.vocabulary)),
  ]);
  const settings = whisperSettingsSchema.parse(JSON.parse(new TextDecoder().decode(settingsFile)));
  const { suppress_ids: always, suppress_ids_begin: first } = settings;
  return {
    decoder: createWhisperDecoder(session, manifest),
    vocabulary: parseWhisperVocabulary(vocabularyFile),
    tokens: {
      ...manifest.tokens,
      languages: manifest.languageTokens,
      forbidden: biasAgainst(always, manifest),
      forbiddenFirst: biasAgainst([...always, ...first], manifest),
    },
  };
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
