// A Whisper model in ggml's format, as whisper.cpp publishes it: sizes, vocabulary and tensors.
import { basename } from 'node:path';
import { ggmlTypes } from './ggml-blocks.ts';
import { ConversionError, readFrom, type Cursor, type ModelFile } from './model-file.ts';
import type { SourceTensor, SourceTensors } from './tensors.ts';

/** "ggml" as a little-endian number. */
export const ggmlMagic = 0x67_67_6d_6c;

/** In the order of the file, each an int32. */
const sizeNames = [
  ...(['vocabularySize', 'context', 'width', 'heads', 'encoderLayers'] as const),
  ...(['positions', 'textWidth', 'textHeads', 'decoderLayers', 'mels', 'type'] as const),
] as const;
type Sizes = Readonly<Record<(typeof sizeNames)[number], number>>;

export interface GgmlModel {
  readonly sizes: Sizes;
  /** Bytes of the tokens that are text, by id. */
  readonly pieces: readonly Buffer[];
  /** By OpenAI's names. */
  readonly tensors: SourceTensors;
}

const maxDimensions = 4;
const maxName = 256;

/** @throws ConversionError for another format, or a truncated file */
export function readGgml(file: ModelFile): GgmlModel {
  const cursor = readFrom(file);
  const name = basename(file.path);
  if (cursor.unsigned(4) !== ggmlMagic) throw new ConversionError(`${name} is not a ggml file`);
  const entries = sizeNames.map((size) => [size, cursor.unsigned(4)]);
  const sizes = Object.fromEntries(entries) as Sizes;
  const [mels, bins] = [cursor.unsigned(4), cursor.unsigned(4)];
  cursor.skip(mels * bins * 4);
  const pieces = Array.from({ length: cursor.unsigned(4) }, () => cursor.take(cursor.unsigned(4)));
  const tensors = new Map<string, SourceTensor>();
  while (cursor.offset < file.bytes) tensors.set(...readTensor(file, cursor));
  return { sizes, pieces, tensors };
}

function readTensor(file: ModelFile, cursor: Cursor): [string, SourceTensor] {
  const [rank, length, number] = [cursor.unsigned(4), cursor.unsigned(4), cursor.unsigned(4)];
  if (rank > maxDimensions || length > maxName) {
    throw new ConversionError(`${basename(file.path)} has no tensor at byte ${cursor.offset - 12}`);
  }
  // The sizes begin with the one that varies fastest.
  const dims = Array.from({ length: rank }, () => cursor.unsigned(4)).toReversed();
  const name = cursor.take(length).toString('latin1');
  const type = ggmlTypes.get(number);
  if (!type) {
    const known = [...ggmlTypes.values()].map((each) => each.name).join(', ');
    throw new ConversionError(`${name} has ggml's type ${number}; known are ${known}`);
  }
  const count = dims.reduce((a, b) => a * b, 1);
  if (count % type.blockSize !== 0) {
    throw new ConversionError(`${name} has ${count} numbers, not blocks of ${type.blockSize}`);
  }
  const start = cursor.offset;
  const bytes = (count / type.blockSize) * type.blockBytes;
  cursor.skip(bytes);
  return [name, { dims, read: () => type.read(file.read(start, bytes)) }];
}
