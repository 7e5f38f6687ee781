// Which published model a folder or file holds, and its conversion to a bundle.
import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import type { Manifest } from '../../models/bundles/manifest.ts';
import { installBundle, type BundleContent } from './bundle-folder.ts';
import { ConversionError, openModelFile, type ModelFile } from './model-file.ts';
import { nemoFiles, writeNemoBundle } from './nemo-bundle.ts';
import { ggmlMagic } from './read-ggml.ts';
import { writeWhisperBundle } from './whisper-bundle.ts';
import {
  openCtranslate2,
  openGgml,
  openHuggingFace,
  type WhisperSource,
} from './whisper-source.ts';

interface Layout {
  readonly format: string;
  readonly files: readonly string[];
  /** Fills the folder of the bundle. */
  readonly write: (work: string) => BundleContent | Promise<BundleContent>;
}

/** Seven were measured with the models that set-up pulls alone (docs/adr/0078). */
const pulledWeightBits = 8;

const knownLayouts =
  'model.bin with config.json and a vocabulary (CTranslate2), *.safetensors with config.json and ' +
  'vocab.json or tokenizer.json (Hugging Face), ggml-*.bin (whisper.cpp), or encoder-model.onnx ' +
  'with decoder_joint-model.onnx and vocab.txt (NeMo TDT, as onnx-asr has it)';

/**
 * Converts what is in a folder, or a single file, and installs it under a name.
 * @throws ConversionError
 */
export async function convertFolder(
  modelsDirectory: string,
  name: string,
  from: string,
): Promise<Manifest> {
  if (!existsSync(from)) throw new ConversionError(`there is no ${from}`);
  const layout = layoutOf(from);
  const folder = statSync(from).isDirectory() ? from : dirname(from);
  return installBundle(modelsDirectory, name, { ...layout, folder }, layout.write);
}

function whisper(
  format: string,
  files: readonly string[],
  open: (files: readonly ModelFile[]) => WhisperSource,
): Layout {
  const write = (work: string): BundleContent => {
    const opened = files.map(openModelFile);
    try {
      return writeWhisperBundle(open(opened), work, pulledWeightBits);
    } finally {
      for (const file of opened) file.close();
    }
  };
  return { format, files, write };
}

function layoutOf(from: string): Layout {
  const isFolder = statSync(from).isDirectory();
  const paths = isFolder ? readdirSync(from).map((name) => join(from, name)) : [from];
  const files = paths.filter((path) => statSync(path).isFile()).toSorted();
  const ggml = files.filter((path) => extname(path) === '.bin' && isGgml(path));
  if (ggml.length > 1) {
    throw new ConversionError(`there are several ggml files in ${from}; name one of them`);
  }
  if (ggml.length === 1) return whisper('ggml', ggml, ([file]) => openGgml(file!));
  const shards = files.filter((path) => extname(path) === '.safetensors');
  if (shards.length > 0) {
    return whisper('safetensors', shards, (opened) => openHuggingFace(dirname(shards[0]!), opened));
  }
  const model = files.find((path) => path.endsWith('model.bin'));
  if (model !== undefined) {
    return whisper('CTranslate2', [model], ([file]) => openCtranslate2(dirname(model), file!));
  }
  const nemo = nemoFiles(files);
  if (nemo) {
    return { format: 'NeMo (ONNX)', files: nemo, write: (work) => writeNemoBundle(nemo, work) };
  }
  throw new ConversionError(`there is no model in ${from} that can be converted: ${knownLayouts}`);
}

function isGgml(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(4);
    return readSync(file, head) === 4 && head.readUInt32LE() === ggmlMagic;
  } finally {
    closeSync(file);
  }
}
