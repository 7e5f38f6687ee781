// Whisper models of random weights: small, with the tensors of the published ones.
import { createRandom, type Random } from '../support/random.ts';

export interface TwinSizes {
  readonly mels: 80 | 128;
  readonly vocabularySize: 51_864 | 51_865 | 51_866;
  readonly encoderLayers: number;
  readonly decoderLayers: number;
  readonly width: number;
  readonly heads: number;
}

export interface TwinTensor {
  readonly dims: readonly number[];
  /** Each is a half precision number. */
  readonly values: Float32Array;
}

/** By OpenAI's names. */
export interface Twin {
  readonly sizes: TwinSizes;
  readonly tensors: ReadonlyMap<string, TwinTensor>;
  /** Names of the ids of text, in the characters of GPT-2. */
  readonly text: readonly string[];
}

export const twinContext = 1_500;
export const twinPositions = 448;

/** @returns the same numbers for the same seed */
export function makeTwin(sizes: TwinSizes, seed: number): Twin {
  const random = createRandom(seed);
  const { width, mels, vocabularySize } = sizes;
  const tensors = new Map<string, TwinTensor>();
  const put = (name: string, dims: readonly number[], deviation: number, mean = 0): void => {
    const count = dims.reduce((a, b) => a * b, 1);
    const values = Float32Array.from({ length: count }, () => mean + deviation * spread(random));
    toHalves(values);
    tensors.set(name, { dims, values });
  };
  const linear = (name: string, [outer, inner]: readonly [number, number], bias = true): void => {
    put(`${name}.weight`, [outer, inner], 1.5 / Math.sqrt(inner));
    if (bias) put(`${name}.bias`, [outer], 0.1);
  };
  const norm = (name: string): void => {
    put(`${name}.weight`, [width], 0.1, 1);
    put(`${name}.bias`, [width], 0.1);
  };
  const attention = (name: string): void => {
    norm(`${name}_ln`);
    for (const part of ['query', 'key', 'value', 'out']) {
      linear(`${name}.${part}`, [width, width], part !== 'key');
    }
  };
  const layer = (name: string, isDecoder: boolean): void => {
    attention(`${name}.attn`);
    if (isDecoder) attention(`${name}.cross_attn`);
    norm(`${name}.mlp_ln`);
    linear(`${name}.mlp.0`, [4 * width, width]);
    linear(`${name}.mlp.2`, [width, 4 * width]);
  };
  put('encoder.conv1.weight', [width, mels, 3], 1 / Math.sqrt(3 * mels));
  put('encoder.conv1.bias', [width], 0.1);
  put('encoder.conv2.weight', [width, width, 3], 1 / Math.sqrt(3 * width));
  put('encoder.conv2.bias', [width], 0.1);
  put('encoder.positional_embedding', [twinContext, width], 0.3);
  for (let i = 0; i < sizes.encoderLayers; i += 1) layer(`encoder.blocks.${i}`, false);
  norm('encoder.ln_post');
  // Small beside what the layers add, or each token would be followed by itself.
  put('decoder.token_embedding.weight', [vocabularySize, width], 0.25);
  put('decoder.positional_embedding', [twinPositions, width], 0.25);
  for (let i = 0; i < sizes.decoderLayers; i += 1) layer(`decoder.blocks.${i}`, true);
  norm('decoder.ln');
  return { sizes, tensors, text: textOf(vocabularySize) };
}

/** The bytes as GPT-2 orders them, then words that are nobody's. */
function textOf(vocabularySize: number): readonly string[] {
  const printable = [...range(0x21, 0x7e), ...range(0xa1, 0xac), ...range(0xae, 0xff)];
  const others = Array.from({ length: 256 - printable.length }, (_, i) => 0x1_00 + i);
  const bytes = [...printable, ...others].map((code) => String.fromCodePoint(code));
  const count = vocabularySize === 51_864 ? 50_256 : 50_257;
  return Array.from({ length: count }, (_, id) => bytes[id] ?? `${id % 3 ? 'Ġ' : ''}w${id}`);
}

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

/** Of mean 0 and deviation 1: the sum of three uniform numbers. */
function spread(random: Random): number {
  return 2 * (random() + random() + random()) - 3;
}

/** To ten bits of fraction, in place; half precision holds magnitudes from 2^-14 on in full. */
function toHalves(values: Float32Array): void {
  const bits = new Uint32Array(values.buffer);
  for (let i = 0; i < bits.length; i += 1) {
    const tiny = Math.abs(values[i]!) < 2 ** -14;
    bits[i] = tiny ? 0 : (bits[i]! + 0x10_00) & ~0x1f_ff;
  }
}
