// The twins that another decoder has decoded, and the sound that it heard.
import { createRandom } from '../support/random.ts';
import type { NemoSizes } from './nemo-twin.ts';
import type { TwinSizes } from './whisper-twin.ts';

export interface WhisperCase {
  readonly name: string;
  readonly sizes: TwinSizes;
  /** Of the vocabulary. */
  readonly language: string;
}

const small = { encoderLayers: 2, decoderLayers: 2, width: 32, heads: 2 };

/** Both numbers of mel bands, and the three vocabularies. */
export const whisperCases: readonly WhisperCase[] = [
  { name: 'english', sizes: { ...small, mels: 80, vocabularySize: 51_864 }, language: 'en' },
  { name: 'multilingual', sizes: { ...small, mels: 80, vocabularySize: 51_865 }, language: 'de' },
  {
    name: 'large-v3',
    sizes: { ...small, mels: 128, vocabularySize: 51_866, encoderLayers: 3, heads: 4 },
    language: 'de',
  },
];

/** The same, and the layers of large-v3-turbo in the width of a twin. */
export const transformersCases: readonly WhisperCase[] = [
  ...whisperCases,
  {
    name: 'large-v3-turbo',
    sizes: { ...small, mels: 128, vocabularySize: 51_866, encoderLayers: 32, decoderLayers: 4 },
    language: 'de',
  },
];

/** Both numbers of mel bands. */
export const nemoCases: readonly NemoSizes[] = [
  { mels: 80, pieces: 40 },
  { mels: 128, pieces: 40 },
];

export const twinSeed = 1;
export const clipSeconds = [3, 5, 8];

/** Tones that change ten times a second, some noise, and silence at the end; 16 kHz. */
export function twinClip(seconds: number): Int16Array {
  const random = createRandom(seconds);
  const pcm = new Int16Array(seconds * 16_000);
  let [phase, hertz] = [0, 0];
  for (let i = 0; i < pcm.length - 4_000; i += 1) {
    if (i % 1_600 === 0) hertz = 100 + 2_500 * random();
    phase += (2 * Math.PI * hertz) / 16_000;
    pcm[i] = Math.round(6_000 * Math.sin(phase) + 800 * (random() - 0.5));
  }
  return pcm;
}
