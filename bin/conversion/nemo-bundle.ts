// Installs NVIDIA NeMo's token-and-duration transducers (Parakeet TDT) as onnx-asr publishes them:
// encoder-model.onnx, decoder_joint-model.onnx, vocab.txt and config.json.
import { constants, copyFileSync, existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { loadNemoTdt } from '../../models/asr/nemo/recognizer.ts';
import { parseNemoVocabulary } from '../../models/asr/nemo/tokens.ts';
import { sampleRate } from '../../models/audio/sample-rate.ts';
import { languagesOfBundle } from '../../models/bundles/assignments.ts';
import { findManifest } from '../../models/bundles/manifests.ts';
import type { NemoTdtManifest } from '../../models/bundles/manifest.ts';
import { openSession } from '../../models/onnx/open-session.ts';
import type { BundleContent } from './bundle-folder.ts';
import { ConversionError } from './model-file.ts';

const configSchema = z.object({
  model_type: z.string().optional(),
  features_size: z.int().positive().default(80),
  subsampling_factor: z.int().positive().default(8),
  max_tokens_per_step: z.int().positive().default(10),
});
const transducer = 'nemo-conformer-tdt';

/** Graphs are taken in the smaller form where there are two. */
const suffixes = ['.int8.onnx', '.onnx'];
const vocabularyFile = 'vocab.txt';
const configFile = 'config.json';
const stateInput = 'input_states_1';

/** The files of a folder in this layout; null for another. */
export function nemoFiles(paths: readonly string[]): readonly string[] | null {
  const graph = (stem: string): string | undefined =>
    suffixes
      .map((suffix) => paths.find((path) => basename(path) === `${stem}${suffix}`))
      .find((path) => path !== undefined);
  const encoder = graph('encoder-model');
  const decoder = graph('decoder_joint-model');
  if (encoder === undefined || decoder === undefined) return null;
  // Weights of more than 2 GiB are beside their graph.
  const beside = paths.filter((path) => path === `${encoder}.data` || path === `${encoder}_data`);
  const others = [vocabularyFile, configFile].flatMap(
    (name) => paths.find((path) => basename(path) === name) ?? [],
  );
  return [encoder, decoder, ...others, ...beside];
}

/** @param files what `nemoFiles` found @throws ConversionError where they are no such model */
export async function writeNemoBundle(
  [encoder, decoder, ...others]: readonly string[],
  folder: string,
): Promise<BundleContent> {
  const beside = (name: string) => others.find((path) => basename(path) === name);
  const vocabularyPath = beside(vocabularyFile);
  if (vocabularyPath === undefined) throw new ConversionError(`there is no ${vocabularyFile}`);
  const config = readConfig(beside(configFile));
  const vocabulary = parseNemoVocabulary(readFileSync(vocabularyPath));
  const blank = vocabulary.markers.get('<blk>');
  if (blank === undefined) {
    throw new ConversionError(`${vocabularyFile} has ${vocabulary.size} tokens, and no <blk>`);
  }
  const [stateLayers, , stateSize] = await stateShape(decoder!);
  for (const path of [encoder!, decoder!, ...others]) {
    copyFileSync(path, join(folder, basename(path)), constants.COPYFILE_FICLONE);
  }
  const fields = {
    languages: languagesOf(readFileSync(vocabularyPath, 'utf8')),
    encoder: basename(encoder!),
    decoder: basename(decoder!),
    vocabulary: vocabularyFile,
    ...{ mels: config.features_size, subsampling: config.subsampling_factor },
    ...{ stateLayers: stateLayers!, stateSize: stateSize! },
    ...{ vocabularySize: vocabulary.size, blank },
    maxTokensPerFrame: config.max_tokens_per_step,
  };
  await tryOut(folder, fields);
  return { family: 'nemo-tdt', fields, description: describe(fields) };
}

function readConfig(path: string | undefined): z.output<typeof configSchema> {
  const text = path !== undefined && existsSync(path) ? readFileSync(path, 'utf8') : '{}';
  const parsed = configSchema.safeParse(JSON.parse(text));
  if (!parsed.success) {
    throw new ConversionError(`${configFile}: ${z.prettifyError(parsed.error)}`);
  }
  const { model_type: type } = parsed.data;
  if (type !== undefined && type !== transducer) {
    throw new ConversionError(`${configFile} names a ${type}, not a ${transducer}`);
  }
  return parsed.data;
}

/** Sizes of the states of the prediction network: [layers, clips, width]. */
async function stateShape(decoder: string): Promise<readonly number[]> {
  const session = await openSession(decoder, {
    weightsFolder: null,
    weightsUnsigned: false,
  }).catch((cause: unknown) => {
    throw new ConversionError(`${basename(decoder)} cannot be opened: ${String(cause)}`, { cause });
  });
  const given = session.inputMetadata.find(({ name }) => name === stateInput);
  await session.release();
  const shape = given?.isTensor ? given.shape : [];
  if (shape.length === 3 && typeof shape[0] === 'number' && typeof shape[2] === 'number') {
    return shape.map(Number);
  }
  throw new ConversionError(`${basename(decoder)} has no ${stateInput} of known sizes`);
}

/** A second of noise shows whether the graphs fit each other and the vocabulary. */
async function tryOut(folder: string, fields: Partial<NemoTdtManifest>): Promise<void> {
  const noise = Float32Array.from({ length: sampleRate }, (_, i) => 0.1 * Math.sin(i * i));
  try {
    const recognizer = await loadNemoTdt(folder, fields as NemoTdtManifest);
    await recognizer.decode(noise);
  } catch (cause) {
    const tokens = `${vocabularyFile} of ${fields.vocabularySize} tokens`;
    throw new ConversionError(`the graphs do not run with ${tokens}: ${String(cause)}`, { cause });
  }
}

/** Those of the service for a vocabulary of several scripts, as Parakeet's version 3 has. */
function languagesOf(vocabulary: string): string[] {
  const isMultilingual = /\p{Script=Cyrillic}/u.test(vocabulary);
  return isMultilingual ? [...languagesOfBundle(findManifest('whisper-base'))] : ['en'];
}

function describe({ languages, mels, vocabularySize }: Partial<NemoTdtManifest>): string[] {
  return [
    `NVIDIA NeMo's token-and-duration transducer (Xu et al. 2023) with ${mels} mel bands and ` +
      `${vocabularySize} tokens.`,
    languages!.length > 1
      ? 'It recognises the languages of the service; another model detects which one is spoken.'
      : 'It recognises English only.',
    'Word times are the frames and durations of the tokens; the confidence of a word is the ' +
      "geometric mean of its tokens' probabilities. Its graphs run as they were published.",
  ];
}
