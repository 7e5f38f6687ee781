// Tensors whose first dimension is independent rows: stacked, and selected.
import type { Tensor } from './session.ts';
import { float32Tensor } from './tensor.ts';

/** Stacks tensors of one row each. */
export function joinRows(tensors: readonly Tensor[]): Tensor {
  const [first] = tensors;
  if (tensors.length === 1) return first!;
  const data = new Float32Array(tensors.length * first!.size);
  tensors.forEach((tensor, row) => data.set(tensor.data as Float32Array, row * tensor.size));
  return float32Tensor(data, [tensors.length, ...first!.dims.slice(1)]);
}

/**
 * Selects rows in place: copying all caches would cost more than the steps it saves.
 * @param rows ascending
 */
export function keepRows(tensor: Tensor, rows: readonly number[]): Tensor {
  const data = tensor.data as Float32Array;
  const size = tensor.size / tensor.dims[0]!;
  rows.forEach((row, i) => data.copyWithin(i * size, row * size, (row + 1) * size));
  return float32Tensor(data.subarray(0, rows.length * size), [
    rows.length,
    ...tensor.dims.slice(1),
  ]);
}
