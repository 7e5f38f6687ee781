// Writes a published Whisper model as a bundle: graphs of its sizes, int8 weights, vocabulary.
import { closeSync, ftruncateSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { manifestOf } from '../../models/bundles/manifests.ts';
import { laidOutAs } from '../setup/int8-rows.mjs';
import { knownAlignmentHeads, publishedName } from './alignment-heads.ts';
import type { BundleContent } from './bundle-folder.ts';
import type { BuiltGraph, LaidOutTensor, WeightLayout } from './graph-builder.ts';
import { ConversionError } from './model-file.ts';
import { tensorOf, type SourceTensors } from './tensors.ts';
import { buildWhisperDecoder } from './whisper-decoder-graph.ts';
import { buildWhisperEncoder } from './whisper-encoder-graph.ts';
import type { WhisperSource } from './whisper-source.ts';
import { neverFirst, nonSpeechTokens, whisperTokensOf } from './whisper-tokens.ts';

/** The window of every published model, 30 s: what the rest of the service cuts chunks to. */
const context = 1_500;
const fewestPositions = 448;
/** Its languages and its scale of confidence are taken over. */
const reference = 'whisper-base';

/**
 * @param weightBits of the matrices
 * @throws ConversionError where the model is not one that the graphs can compute
 */
export function writeWhisperBundle(
  source: WhisperSource,
  folder: string,
  weightBits: number,
): BundleContent {
  const { dimensions, text } = source;
  const vocabulary = whisperTokensOf(dimensions.vocabularySize, text);
  requireSizes(source);
  const size = publishedName(dimensions, vocabulary.isMultilingual);
  const alignmentHeads = source.alignmentHeads ?? knownAlignmentHeads(size, dimensions);
  const encoder = buildWhisperEncoder('whisper-encoder', dimensions);
  const decoder = buildWhisperDecoder('whisper-decoder', dimensions, alignmentHeads);
  for (const { layout } of [encoder, decoder]) requireTensors(source.tensors, layout);
  const settings = {
    suppress_ids: source.suppressed ?? nonSpeechTokens(vocabulary),
    suppress_ids_begin: source.suppressedFirst ?? neverFirst(vocabulary),
  };
  writeFileSync(join(folder, 'settings.json'), `${JSON.stringify(settings)}\n`);
  writeFileSync(join(folder, 'vocabulary.txt'), `${vocabulary.lines.join('\n')}\n`);
  const { tensors } = source;
  const graphs = [encoder, decoder].map((graph) => {
    return writeGraph(graph, tensors, { folder, bits: weightBits });
  });
  const known = manifestOf(reference, 'whisper');
  const { heads, width, decoderLayers, vocabularySize } = dimensions;
  return {
    family: 'whisper',
    description: describe(source, size, vocabulary.isMultilingual),
    fields: {
      encoder: graphs[0],
      decoder: graphs[1],
      graphVersion: 3,
      weightBits,
      ...{ settings: 'settings.json', vocabulary: 'vocabulary.txt' },
      ...{ layers: decoderLayers, heads, headSize: width / heads, vocabularySize },
      tokens: vocabulary.tokens,
      confidence: known.confidence,
      languageTokens: vocabulary.isMultilingual ? known.languageTokens : {},
    },
  };
}

function requireSizes({ dimensions, alignmentHeads }: WhisperSource): void {
  const { width, heads, decoderLayers } = dimensions;
  if (dimensions.context !== context || dimensions.positions < fewestPositions) {
    throw new ConversionError(
      `the model has ${dimensions.context} positions of sound and ${dimensions.positions} of ` +
        `text; ${context} and at least ${fewestPositions} are needed`,
    );
  }
  const outside = alignmentHeads?.find(([layer, head]) => layer >= decoderLayers || head >= heads);
  if (outside) {
    throw new ConversionError(
      `the alignment head [${outside.join(', ')}] is outside of ${decoderLayers} layers of ` +
        `${heads} heads of a width of ${width}`,
    );
  }
}

/** Before anything is written. */
function requireTensors(tensors: SourceTensors, { tensors: laidOut }: WeightLayout): void {
  for (const { variable, kind, dims } of laidOut) {
    if (kind === 'scale') continue;
    tensorOf(tensors, variable, kind === 'int8-transposed' ? dims.toReversed() : dims);
  }
}

/** What the manifest says about one of the two graphs. */
function writeGraph(
  { models, layout }: BuiltGraph,
  tensors: SourceTensors,
  { folder, bits }: { readonly folder: string; readonly bits: number },
) {
  for (const [name, model] of models) writeFileSync(join(folder, name), model);
  const file = openSync(join(folder, layout.file), 'w');
  try {
    ftruncateSync(file, layout.bytes);
    // A matrix and its scales follow each other, and are read once.
    let variable = '';
    let values: Float32Array = new Float32Array(0);
    for (const tensor of layout.tensors) {
      if (tensor.variable !== variable) {
        ({ variable } = tensor);
        values = finite(variable, tensorOf(tensors, variable).read());
      }
      writeTensor(file, { ...tensor, bits }, values);
    }
  } finally {
    closeSync(file);
  }
  return { graphs: [...models.keys()], weights: layout.file };
}

function finite(variable: string, values: Float32Array): Float32Array {
  for (const value of values) {
    if (!Number.isFinite(value)) throw new ConversionError(`${variable} holds a ${value}`);
  }
  return values;
}

function writeTensor(
  file: number,
  { kind, dims, offset, bits }: LaidOutTensor & { readonly bits: number },
  values: Float32Array,
): void {
  const rows = kind === 'int8-transposed' ? dims[1]! : dims[0]!;
  const tensor = laidOutAs({ kind, rows, bits }, values);
  const bytes = new Uint8Array(tensor.buffer, tensor.byteOffset, tensor.byteLength);
  for (let done = 0; done < bytes.length;) {
    done += writeSync(file, bytes, done, bytes.length - done, offset + done);
  }
}

function describe(
  { dimensions, alignmentHeads }: WhisperSource,
  size: string | null,
  isMultilingual: boolean,
): readonly string[] {
  const { encoderLayers, decoderLayers, width, heads, mels, vocabularySize } = dimensions;
  const named = size === null ? 'sizes of no published model' : `the sizes of ${size}`;
  const aligned =
    alignmentHeads !== null
      ? 'the heads that its files name'
      : size === null
        ? 'all heads of the upper half of the decoder'
        : `the heads that openai/whisper names for ${size}`;
  return [
    `Whisper (Radford et al. 2022) with ${named}: ${encoderLayers} layers of the encoder, ` +
      `${decoderLayers} of the decoder, width ${width}, ${heads} heads, ${mels} mel bands, ` +
      `${vocabularySize} tokens.`,
    isMultilingual
      ? 'It recognises the languages of the service, and detects them.'
      : 'It recognises English only.',
    'Matrices are stored as int8 with a scale by row, whatever they were stored as.',
    `Word times follow ${aligned}.`,
    `The scale of the words' confidence is that of ${reference}: it was not fitted to this model.`,
  ];
}
