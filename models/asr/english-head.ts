// The probability that a chunk is English: a linear function of the means and deviations of the
// encoder's layers (training/english_head.py).
import { join } from 'node:path';
import { englishHeadWeightsSchema } from '../bundles/head-weights.ts';
import type { EnglishHeadManifest } from '../bundles/manifest.ts';
import { readModelFile } from '../bundles/store.ts';
import type { Tensor } from '../onnx/session.ts';
import { headProducts } from './head-parts.ts';
import type { EncodedSpeech } from './moonshine-encoder.ts';

export interface EnglishHead {
  /** From the encoder's output alone. @param options inParts: those of parts as well */
  logOdds(encoded: EncodedSpeech, options?: { readonly inParts?: boolean }): SoundLogOdds;
  /** How these and the words' probabilities are weighed. */
  readonly odds: EnglishHeadManifest['odds'];
}

/** Log-odds that a chunk is English. */
export interface SoundLogOdds {
  readonly whole: number;
  /** Of the 1.6 s of the chunk in which they are lowest, and highest; null where nobody asked. */
  readonly ofParts: LogOddsOfParts | null;
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
    logOdds: (encoded, { inParts = false } = {}) => {
      const { whole, parts } = headProducts(slopes, layersOf(encoded), { inParts });
      const ofParts = { least: bias + Math.min(...parts), most: bias + Math.max(...parts) };
      return { whole: bias + whole, ofParts: inParts ? ofParts : null };
    },
    odds,
  };
}

function layerOf(layers: EncodedSpeech['layers'], name: string): Tensor {
  const layer = layers[name];
  if (!layer) throw new Error(`the English head reads ${name}, which the encoder does not give`);
  return layer;
}
