// The heads of Whisper's decoder whose attention follows the words.
import type { AlignmentHead } from './whisper-decoder-graph.ts';
import type { WhisperDimensions } from './whisper-layers.ts';

/** Of the published models, as openai/whisper has them: heads by layer. */
const published: Readonly<Record<string, Readonly<Record<number, readonly number[]>>>> = {
  'tiny.en': { 1: [0], 2: [0, 5], 3: [0, 1, 2, 3, 4] },
  tiny: { 2: [2], 3: [0, 2, 3, 4, 5] },
  'base.en': { 3: [3], 4: [7], 5: [1, 5, 7] },
  base: { 3: [1], 4: [2, 3, 7], 5: [1, 2, 4, 6] },
  'small.en': {
    ...{ 6: [6], 7: [0, 3, 8], 8: [2, 5, 7], 9: [0, 4, 8, 10] },
    ...{ 10: [0, 1, 2, 3, 6, 11], 11: [2, 4] },
  },
  small: { 5: [3, 9], 8: [0, 4, 7, 8], 9: [0, 7, 9], 10: [5] },
  'medium.en': {
    ...{ 11: [4], 14: [1, 12, 14], 15: [4], 16: [0, 4, 9], 17: [12, 14], 18: [7, 10, 15] },
    ...{ 20: [0, 3, 9, 14], 21: [12] },
  },
  medium: { 13: [15], 15: [4, 15], 16: [1], 20: [0], 23: [4] },
  'large-v2': {
    ...{ 10: [12], 13: [17], 16: [11, 12, 13], 17: [15, 16], 18: [4, 11, 19], 19: [11] },
    ...{ 21: [2, 3], 22: [3, 9, 12], 23: [5, 7, 13], 25: [5], 26: [1, 12], 27: [15] },
  },
  'large-v3': {
    ...{ 7: [0], 10: [17], 12: [18], 13: [12], 16: [1], 17: [14], 19: [11], 21: [4] },
    ...{ 24: [1], 25: [6] },
  },
  'large-v3-turbo': { 2: [4, 11], 3: [3, 6, 11, 14] },
};

const sizeNames: Readonly<Record<string, string>> = {
  '4/6': 'tiny',
  '6/8': 'base',
  '12/12': 'small',
  '24/16': 'medium',
  '32/20': 'large',
  '4/20': 'large-v3-turbo',
};

/** The published model of these sizes; null for others. Version 1 of large has those of 2. */
export function publishedName(
  { decoderLayers, heads, mels }: WhisperDimensions,
  isMultilingual: boolean,
): string | null {
  const size = sizeNames[`${decoderLayers}/${heads}`];
  if (size === undefined) return null;
  if (size === 'large') return mels === 80 ? 'large-v2' : 'large-v3';
  return isMultilingual || size === 'large-v3-turbo' ? size : `${size}.en`;
}

/** The heads of a published model; of others all heads in the upper half of the layers. */
export function knownAlignmentHeads(
  name: string | null,
  { decoderLayers, heads }: WhisperDimensions,
): readonly AlignmentHead[] {
  const known = name === null ? undefined : published[name];
  if (known) {
    return Object.entries(known).flatMap(([layer, own]) =>
      own.map((head) => [Number(layer), head] as const),
    );
  }
  const upper = Array.from({ length: decoderLayers }, (_, layer) => layer);
  return upper
    .slice(Math.floor(decoderLayers / 2))
    .flatMap((layer) => Array.from({ length: heads }, (_, head) => [layer, head] as const));
}
