// Tensors whose first dimension is independent rows: stacked, and selected.
import type { Tensor } from './session.ts';
import { float32Tensor, int8Tensor } from './tensor.ts';

/** Stacks tensors of one row each. */
export function joinRows(tensors: readonly Tensor[]): Tensor {
  const [first] = tensors;
  if (tensors.length === 1) return first!;
  const length = tensors.length * first!.size;
  const data = isBytes(first!) ? new Int8Array(length) : new Float32Array(length);
  tensors.forEach((tensor, row) => data.set(numbersOf(tensor), row * tensor.size));
  return tensorOf(data, [tensors.length, ...first!.dims.slice(1)]);
}

/**
 * Selects rows in place: copying all caches would cost more than the steps it saves.
 * @param rows ascending
 */
export function keepRows(tensor: Tensor, rows: readonly number[]): Tensor {
  const data = numbersOf(tensor);
  const size = tensor.size / tensor.dims[0]!;
  rows.forEach((row, i) => data.copyWithin(i * size, row * size, (row + 1) * size));
  return tensorOf(data.subarray(0, rows.length * size), [rows.length, ...tensor.dims.slice(1)]);
}

function isBytes({ type }: Tensor): boolean {
  return type === 'int8';
}

function numbersOf({ data }: Tensor): Float32Array | Int8Array {
  return data as Float32Array | Int8Array;
}

function tensorOf(data: Float32Array | Int8Array, dims: readonly number[]): Tensor {
  return data instanceof Int8Array ? int8Tensor(data, dims) : float32Tensor(data, dims);
}
