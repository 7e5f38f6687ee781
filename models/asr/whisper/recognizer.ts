// A whisper bundle as one recognizer: sessions, vocabulary and settings loaded together.
import { sampleRate } from '../../audio/sample-rate.ts';
import { join } from 'node:path';
import { createGraphSession } from '../../onnx/graph-session.ts';
import { whisperSettingsSchema, type WhisperManifest } from '../../bundles/manifest.ts';
import { readModelFile } from '../../bundles/store.ts';
import { createWhisperDecoder } from './decoder.ts';
import { clipFrames, encodeWhisper, fullFrames } from './encoder.ts';
import type { WrittenText } from '../transcript.ts';
import { transcribe } from './transcribe.ts';
import { parseWhisperVocabulary } from './vocabulary.ts';

export interface WhisperRecognizer {
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
  return {
    transcribe: (samples) =>
      transcribe({
        decoder: steps,
        vocabulary,
        tokens,
        durationSeconds: samples.length / sampleRate,
        encode: (extent) => {
          const frames = extent === 'full' ? fullFrames : clipFrames(samples.length);
          return encodeWhisper(encoder, manifest, samples, frames);
        },
      }),
  };
}
