// A whisper bundle as one recognizer: sessions, vocabulary and settings loaded together.
import { sampleRate } from '../../audio/sample-rate.ts';
import { join } from 'node:path';
import { createGraphSession } from '../../onnx/graph-session.ts';
import { whisperSettingsSchema, type WhisperManifest } from '../../bundles/manifest.ts';
import { readModelFile } from '../../bundles/store.ts';
import { createWhisperDecoder } from './decoder.ts';
import { clipFrames, encodeWhisper, fullFrames, type WhisperEncoding } from './encoder.ts';
import type { LanguageProbabilities, RecognisedWords, Word, WrittenText } from '../transcript.ts';
import {
  languageProbabilities,
  likeliestLanguage,
  type LanguageChoice,
} from './language-choice.ts';
import { transcribe, type TranscribedChunk } from './transcribe.ts';
import { parseWhisperVocabulary } from './vocabulary.ts';

/** At most 30 s. */
export interface ChunkToRecognise {
  /** 16 kHz mono in -1..1. */
  readonly samples: Float32Array;
  readonly language: LanguageChoice;
}

export interface WhisperRecognizer {
  /** Words of chunks, each in its language; one chunk's do not depend on those beside it. */
  recognise(chunks: readonly ChunkToRecognise[]): Promise<readonly RecognisedWords[]>;
  /** How likely each language is in a chunk. @param samples as for `transcribe` */
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
  const [encoder, decoder, settingsFile, vocabularyFile] = await Promise.all([
    createGraphSession(manifest.encoder.graphs, directory, [manifest.encoder.weights]),
    createGraphSession(manifest.decoder.graphs, directory, [manifest.decoder.weights]),
    readModelFile(join(directory, manifest.settings)),
    readModelFile(join(directory, manifest.vocabulary)),
  ]);
  const settings = whisperSettingsSchema.parse(JSON.parse(new TextDecoder().decode(settingsFile)));
  const tokens = {
    ...manifest.tokens,
    languages: manifest.languageTokens,
    suppressed: settings.suppress_ids,
    suppressedFirst: settings.suppress_ids_begin,
  };
  const vocabulary = parseWhisperVocabulary(vocabularyFile);
  const steps = createWhisperDecoder(decoder, manifest);
  const encode = (samples: Float32Array, frames: number): Promise<WhisperEncoding> =>
    encodeWhisper(encoder, manifest, samples, frames);
  const write = ({ samples, language }: ChunkToRecognise): Promise<TranscribedChunk> =>
    transcribe({
      decoder: steps,
      vocabulary,
      tokens,
      language,
      durationSeconds: samples.length / sampleRate,
      encode: (extent) =>
        encode(samples, extent === 'full' ? fullFrames : clipFrames(samples.length)),
    });
  return {
    transcribe: async (samples) => {
      const { text, language } = await write({ samples, language: likeliestLanguage });
      return { text, language: language! };
    },
    detect: async (samples) => {
      const run = steps.start(await encode(samples, clipFrames(samples.length)));
      const logits = await run.read([tokens.startOfTranscript]);
      return languageProbabilities(logits, tokens.languages);
    },
    recognise: async (chunks) => {
      const recognised: RecognisedWords[] = [];
      for (const chunk of chunks) {
        const { text, ...heard } = await write(chunk);
        recognised.push({ ...heard, words: evenly(text, chunk.samples.length / sampleRate) });
      }
      return recognised;
    },
  };
}

function evenly(text: string, seconds: number): readonly Word[] {
  const written = text.split(/\s+/).filter((word) => word !== '');
  const share = seconds / Math.max(1, written.length);
  return written.map((word, i) => ({
    ...{ word, start: i * share, end: (i + 1) * share },
    confidence: null,
  }));
}
