// The tensors of safetensors files: a JSON header that says where each tensor begins.
import { basename } from 'node:path';
import { z } from 'zod';
import { ConversionError, type ModelFile } from './model-file.ts';
import { toFloats, type SourceTensor, type SourceTensors } from './tensors.ts';

const headerBytes = 8;
/** The limit of the format's own reader. */
const maxHeader = 100_000_000;

const headerSchema = z.record(
  z.string(),
  z.union([
    z.object({
      dtype: z.string(),
      shape: z.array(z.int().nonnegative()),
      data_offsets: z.tuple([z.int().nonnegative(), z.int().nonnegative()]),
    }),
    z.record(z.string(), z.string()),
  ]),
);

/** @param files the shards of one model @throws ConversionError */
export function readSafetensors(files: readonly ModelFile[]): SourceTensors {
  return new Map(files.flatMap(readShard));
}

function readShard(file: ModelFile): (readonly [string, SourceTensor])[] {
  const name = basename(file.path);
  const length = Number(file.read(0, headerBytes).readBigUInt64LE());
  if (length > maxHeader) throw new ConversionError(`${name} is not a safetensors file`);
  const start = headerBytes + length;
  const header = parseHeader(name, file.read(headerBytes, length).toString());
  return Object.entries(header).flatMap(([tensor, entry]) => {
    if (tensor === '__metadata__' || typeof entry.dtype !== 'string') return [];
    const { dtype, shape: dims, data_offsets } = entry as Extract<typeof entry, { shape: unknown }>;
    const [from, to] = data_offsets as [number, number];
    // The last tensor shows whether the file is whole.
    if (to > from) file.read(start + to - 1, 1);
    const read = (): Float32Array => {
      if (dtype !== 'F32' && dtype !== 'F16' && dtype !== 'BF16') {
        throw new ConversionError(`${tensor} has the type ${dtype}, not F32, F16 or BF16`);
      }
      return toFloats(file.read(start + from, to - from), dtype);
    };
    return [[tensor, { dims: dims as number[], read }] as const];
  });
}

function parseHeader(name: string, text: string): z.infer<typeof headerSchema> {
  try {
    return headerSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new ConversionError(`${name} has no safetensors header`, { cause: error });
  }
}
