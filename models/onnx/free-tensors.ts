// Frees tensors at once instead of when V8 collects garbage.
import type { Tensor } from './session.ts';

/**
 * Frees the memory of tensors, which must not be read afterwards. It is outside of V8's heap, and
 * V8 waits for 64 MB of such garbage before it collects: batches of keys and values would be held
 * long after their use, and the heap of the process would grow around them (docs/adr/0047).
 */
export function freeTensors(tensors: Iterable<Pick<Tensor, 'data'>>): void {
  for (const { data } of tensors) freeNumbers(data as Float32Array);
}

/** The same for numbers without a tensor, and all that share their buffer. */
export function freeNumbers(numbers: Float32Array): void {
  const buffer = numbers.buffer as ArrayBuffer;
  if (!buffer.detached) buffer.transfer(0);
}
