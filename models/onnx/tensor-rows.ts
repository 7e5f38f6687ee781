// Tensors whose first dimension is independent rows: stacked, and selected.
import { freeTensors } from './free-tensors.ts';
import type { Tensor } from './session.ts';
import { float32Tensor, int8Tensor } from './tensor.ts';

/** Tensors of one row each that are stacked one by one: they never all exist twice. */
export interface RowStack {
  /** @param isKept something else reads the tensor later; otherwise the stack frees it */
  add(tensor: Tensor, isKept: boolean): void;
  /** The rows so far; of a stack for one row that row itself. */
  rows(): Tensor;
}

export function stackRows(maxRows: number): RowStack {
  let only: Tensor | null = null;
  let data: Float32Array | Int8Array | null = null;
  let count = 0;
  return {
    add(tensor, isKept) {
      only = tensor;
      count += 1;
      if (maxRows === 1) return;
      const length = maxRows * tensor.size;
      data ??= isBytes(tensor) ? new Int8Array(length) : new Float32Array(length);
      data.set(numbersOf(tensor), (count - 1) * tensor.size);
      if (!isKept) freeTensors([tensor]);
    },
    rows() {
      if (!only) throw new RangeError('a stack without rows');
      if (!data) return only;
      const used = data.subarray(0, (data.length / maxRows) * count);
      return tensorOf(used, [count, ...only.dims.slice(1)]);
    },
  };
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
