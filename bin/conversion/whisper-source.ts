// A published Whisper model as a conversion reads it, in each of the three formats.
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { ConversionError, type ModelFile } from './model-file.ts';
import { readCtranslate2 } from './read-ctranslate2.ts';
import { readGgml } from './read-ggml.ts';
import { readSafetensors } from './read-safetensors.ts';
import { tensorOf, type SourceTensors } from './tensors.ts';
import type { AlignmentHead } from './whisper-decoder-graph.ts';
import type { WhisperDimensions } from './whisper-layers.ts';
import { huggingFaceNames, openAiNames, renamed } from './whisper-names.ts';
import { pieceName } from './whisper-tokens.ts';

export interface WhisperSource {
  readonly dimensions: WhisperDimensions;
  /** By CTranslate2's names. */
  readonly tensors: SourceTensors;
  /** Names of the ids that are text, in the characters of GPT-2. */
  readonly text: readonly string[];
  /** null where the files do not say. */
  readonly alignmentHeads: readonly AlignmentHead[] | null;
  /** Ids that are never generated, and never first; null where the files do not say. */
  readonly suppressed: readonly number[] | null;
  readonly suppressedFirst: readonly number[] | null;
}

const marker = '<|endoftext|>';
const ids = z.array(z.int()).nullish();
const alignmentHeads = z.array(z.tuple([z.int(), z.int()])).nullish();

const ctranslate2Schema = z.object({
  alignment_heads: alignmentHeads,
  suppress_ids: ids,
  suppress_ids_begin: ids,
});

/** @throws ConversionError */
export function openCtranslate2(folder: string, model: ModelFile): WhisperSource {
  const { tensors, integers } = readCtranslate2(model);
  const config = readJson(folder, 'config.json', ctranslate2Schema);
  const heads = integers.get('encoder/num_heads');
  return {
    tensors,
    dimensions: dimensionsOf(tensors, heads),
    text: textOf(ctranslate2Vocabulary(folder)),
    alignmentHeads: config?.alignment_heads ?? null,
    suppressed: stated(config?.suppress_ids),
    suppressedFirst: config?.suppress_ids_begin ?? null,
  };
}

function ctranslate2Vocabulary(folder: string): readonly string[] {
  const written = readJson(folder, 'vocabulary.json', z.array(z.string()));
  if (written) return written;
  const path = join(folder, 'vocabulary.txt');
  if (existsSync(path)) return readFileSync(path, 'utf8').split('\n');
  throw new ConversionError(`there is no vocabulary.json or vocabulary.txt in ${folder}`);
}

const configSchema = z.object({
  d_model: z.int().positive(),
  encoder_layers: z.int().positive(),
  decoder_layers: z.int().positive(),
  encoder_attention_heads: z.int().positive(),
});
const generationSchema = z.object({
  alignment_heads: alignmentHeads,
  suppress_tokens: ids,
  begin_suppress_tokens: ids,
});
const tokenizerSchema = z.object({ model: z.object({ vocab: z.record(z.string(), z.int()) }) });

/** @param shards safetensors files @throws ConversionError */
export function openHuggingFace(folder: string, shards: readonly ModelFile[]): WhisperSource {
  const config = readJson(folder, 'config.json', configSchema);
  if (!config) throw new ConversionError(`there is no config.json in ${folder}`);
  const generation = readJson(folder, 'generation_config.json', generationSchema);
  const layers = { encoderLayers: config.encoder_layers, decoderLayers: config.decoder_layers };
  const own = readSafetensors(shards);
  // What carries a task's head has a prefix, which a bare model lacks.
  const source = own.has('encoder.conv1.weight')
    ? new Map([...own].map(([name, tensor]) => [`model.${name}`, tensor]))
    : own;
  const tensors = renamed(source, huggingFaceNames, { ...layers, width: config.d_model });
  return {
    tensors,
    dimensions: dimensionsOf(tensors, config.encoder_attention_heads),
    text: textOf(huggingFaceVocabulary(folder)),
    alignmentHeads: generation?.alignment_heads ?? null,
    suppressed: stated(generation?.suppress_tokens),
    suppressedFirst: generation?.begin_suppress_tokens ?? null,
  };
}

function huggingFaceVocabulary(folder: string): readonly string[] {
  const vocabulary =
    readJson(folder, 'vocab.json', z.record(z.string(), z.int())) ??
    readJson(folder, 'tokenizer.json', tokenizerSchema)?.model.vocab;
  if (!vocabulary) {
    throw new ConversionError(`there is no vocab.json or tokenizer.json in ${folder}`);
  }
  const lines: string[] = [];
  for (const [name, id] of Object.entries(vocabulary)) lines[id] = name;
  return Array.from(lines, (line) => line ?? '');
}

/** @throws ConversionError */
export function openGgml(file: ModelFile): WhisperSource {
  const { sizes, pieces, tensors: own } = readGgml(file);
  const { encoderLayers, decoderLayers, width, heads } = sizes;
  const tensors = renamed(own, openAiNames, { encoderLayers, decoderLayers, width });
  return {
    tensors,
    dimensions: dimensionsOf(tensors, heads),
    text: textOf(pieces.map(pieceName)),
    ...{ alignmentHeads: null, suppressed: null, suppressedFirst: null },
  };
}

/** -1 stands for the marks that are no speech. */
function stated(tokens: readonly number[] | null | undefined): readonly number[] | null {
  return tokens && tokens.length > 0 && !tokens.includes(-1) ? tokens : null;
}

/** The names before the first marker. */
function textOf(lines: readonly string[]): readonly string[] {
  const end = lines.indexOf(marker);
  return end === -1 ? lines : lines.slice(0, end);
}

/** What the tensors' sizes say. @param heads null: heads of 64, as all published models have */
function dimensionsOf(tensors: SourceTensors, heads: number | undefined): WhisperDimensions {
  const dims = (name: string, expected: readonly (number | null)[]): readonly number[] =>
    tensorOf(tensors, name, expected).dims;
  const [width, mels] = dims('encoder/conv1/weight', [null, null, 3]);
  const count = (side: string): number => {
    const layer = new RegExp(String.raw`^${side}/layer_(\d+)/`);
    const found = [...tensors.keys()].flatMap((name) => layer.exec(name)?.[1] ?? []);
    return Math.max(-1, ...found.map(Number)) + 1;
  };
  const own = heads ?? width! / 64;
  if (width! % own !== 0) {
    throw new ConversionError(`the model has a width of ${width}, and ${own} heads`);
  }
  return {
    encoderLayers: count('encoder'),
    decoderLayers: count('decoder'),
    ...{ width: width!, mels: mels!, heads: own },
    feedForward: dims('encoder/layer_0/ffn/linear_0/weight', [null, width!])[0]!,
    vocabularySize: dims('decoder/embeddings/weight', [null, width!])[0]!,
    context: dims('encoder/position_encodings/encodings', [null, width!])[0]!,
    positions: dims('decoder/position_encodings/encodings', [null, width!])[0]!,
  };
}

/** null without the file. @throws ConversionError for other content */
function readJson<S extends z.ZodType>(
  folder: string,
  name: string,
  schema: S,
): z.output<S> | null {
  const path = join(folder, name);
  if (!existsSync(path)) return null;
  try {
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new ConversionError(`${basename(path)} is not that of Whisper: ${reason}`, {
      cause: error,
    });
  }
}
