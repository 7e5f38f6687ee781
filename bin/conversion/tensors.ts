// Tensors of a published model by name, read when they are needed.
import { halves } from '../setup/int8-rows.mjs';
import { ConversionError } from './model-file.ts';

export interface SourceTensor {
  readonly dims: readonly number[];
  /** Row-major, as many as the sizes say. */
  read(): Float32Array;
}

export type SourceTensors = ReadonlyMap<string, SourceTensor>;

/** How numbers are stored, in the terms of safetensors. */
export type FloatType = 'F32' | 'F16' | 'BF16';

const bytesOf: Readonly<Record<FloatType, number>> = { F32: 4, F16: 2, BF16: 2 };

export function toFloats(data: Buffer, type: FloatType): Float32Array {
  const count = data.length / bytesOf[type];
  const values = new Float32Array(count);
  if (type === 'F32') {
    for (let i = 0; i < count; i += 1) values[i] = data.readFloatLE(4 * i);
  } else if (type === 'F16') {
    for (let i = 0; i < count; i += 1) values[i] = halves[data.readUInt16LE(2 * i)]!;
  } else {
    // The upper half of a float32.
    const bits = new Uint32Array(values.buffer);
    for (let i = 0; i < count; i += 1) bits[i] = data.readUInt16LE(2 * i) * 2 ** 16;
  }
  return values;
}

/** @throws ConversionError for one that is missing, or has other sizes */
export function tensorOf(
  tensors: SourceTensors,
  name: string,
  dims?: readonly (number | null)[],
): SourceTensor {
  const tensor = tensors.get(name);
  if (!tensor) throw new ConversionError(`the model has no tensor ${name}`);
  const fits =
    !dims ||
    (dims.length === tensor.dims.length &&
      dims.every((size, i) => size === null || size === tensor.dims[i]));
  if (!fits) {
    const wanted = dims.map((size) => size ?? 'any').join(', ');
    throw new ConversionError(`${name} has the sizes [${tensor.dims.join(', ')}], not [${wanted}]`);
  }
  return tensor;
}

/** Matrices or vectors below each other, as one tensor. */
export function stacked(parts: readonly SourceTensor[]): SourceTensor {
  const [first, ...more] = parts[0]!.dims;
  const rows = parts.reduce((sum, { dims }) => sum + dims[0]!, 0);
  return {
    dims: first === undefined ? [] : [rows, ...more],
    read() {
      const read = parts.map((part) => part.read());
      const all = new Float32Array(read.reduce((sum, { length }) => sum + length, 0));
      let at = 0;
      for (const values of read) {
        all.set(values, at);
        at += values.length;
      }
      return all;
    },
  };
}

export function zeros(length: number): SourceTensor {
  return { dims: [length], read: () => new Float32Array(length) };
}

/** The same numbers under other sizes. */
export function reshaped(tensor: SourceTensor, dims: readonly number[]): SourceTensor {
  return { dims, read: () => tensor.read() };
}
