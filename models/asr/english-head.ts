// The probability that a chunk is English: a linear function of the means and deviations of the
// encoder's layers (training/english_head.py).
import { join } from 'node:path';
import { englishHeadWeightsSchema } from '../bundles/head-weights.ts';
import type { EnglishHeadManifest } from '../bundles/manifest.ts';
import { readModelFile } from '../bundles/store.ts';
import type { Tensor } from '../onnx/session.ts';
import { productsOfParts } from './head-parts.ts';
import type { EncodedSpeech } from './moonshine-encoder.ts';

export interface EnglishHead {
  /** Log-odds that the chunk is English, from the encoder's output alone. */
  logOdds(encoded: EncodedSpeech): number;
  /** The same of the 1.6 s of the chunk in which they are lowest, and highest. */
  logOddsOfParts(encoded: EncodedSpeech): LogOddsOfParts;
  /** How these and the words' probabilities are weighed. */
  readonly odds: EnglishHeadManifest['odds'];
}

export interface LogOddsOfParts {
  readonly least: number;
  readonly most: number;
}

/** Reads the weights from a bundle's folder. */
export async function loadEnglishHead(
  directory: string,
  manifest: EnglishHeadManifest,
): Promise<EnglishHead> {
  const file = await readModelFile(join(directory, manifest.weights));
  const content = JSON.parse(new TextDecoder().decode(file)) as unknown;
  const { weights, bias } = englishHeadWeightsSchema.parse(content);
  const slopes = Float32Array.from(weights);
  const { layers: names, odds } = manifest;
  const layersOf = ({ layers }: EncodedSpeech) => names.map((name) => layerOf(layers, name));
  return {
    logOdds: (encoded) => bias + product(slopes, layersOf(encoded)),
    logOddsOfParts: (encoded) => {
      const own = productsOfParts(slopes, layersOf(encoded)).map((each) => bias + each);
      return { least: Math.min(...own), most: Math.max(...own) };
    },
    odds,
  };
}

function layerOf(layers: EncodedSpeech['layers'], name: string): Tensor {
  const layer = layers[name];
  if (!layer) throw new Error(`the English head reads ${name}, which the encoder does not give`);
  return layer;
}

/** Means and deviations over the frames, layer by layer, times their weights. */
function product(weights: Float32Array, layers: readonly Tensor[]): number {
  let sum = 0;
  let offset = 0;
  for (const { data, dims } of layers) {
    const [, frames = 0, hidden = 0] = dims;
    const values = data as Float32Array;
    for (let column = 0; column < hidden; column += 1) {
      let total = 0;
      let squares = 0;
      for (let at = column; at < values.length; at += hidden) {
        total += values[at]!;
        squares += values[at]! ** 2;
      }
      const mean = total / frames;
      const deviation = Math.sqrt(Math.max(0, squares / frames - mean ** 2));
      sum += weights[offset + column]! * mean + weights[offset + hidden + column]! * deviation;
    }
    offset += 2 * hidden;
  }
  if (offset !== weights.length) throw new Error(`the head has ${weights.length} weights`);
  return sum;
}
