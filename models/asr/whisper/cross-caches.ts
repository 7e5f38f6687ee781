// Keys and values of the cross-attention of several chunks, as rows of the tensors that a decoder
// reads: padded to one length, and masked behind the end of each.
import { freeTensors } from '../../onnx/free-tensors.ts';
import type { Tensor } from '../../onnx/session.ts';
import { float32Tensor, int8Tensor } from '../../onnx/tensor.ts';
import { freeEncoding, type WhisperEncoding } from './encoder.ts';

/**
 * Contexts are padded to a multiple of this, so that the sums of a chunk are added in the same
 * order, to the last bit, whatever chunks are beside it.
 */
const contextBlock = 64;
/** Far below every score, so that a masked position has no share. */
const masked = -1e30;

export interface CrossCaches {
  /** @param isKept something else reads the encoding later; otherwise its memory is freed */
  add(encoding: WhisperEncoding, isKept: boolean): void;
  /** Of the rows so far, by the name of the decoder's input. */
  tensors(): Record<string, Tensor>;
  /** Positions of each row, without padding. */
  readonly contexts: readonly number[];
  /** Frees the memory of all rows. */
  close(): void;
}

interface Stack {
  readonly data: Float32Array | Int8Array;
  readonly dims: readonly number[];
}

/** The padded length of a context. */
function paddedContext(context: number): number {
  return Math.ceil(context / contextBlock) * contextBlock;
}

/** @param context positions of the longest row */
export function stackCrossCaches(rows: number, context: number): CrossCaches {
  const padded = paddedContext(context);
  const stacks = new Map<string, Stack>();
  const contexts: number[] = [];
  const stackOf = (name: string, { type, dims }: Tensor): Stack => {
    const known = stacks.get(name);
    if (known) return known;
    const axis = contextAxis(name);
    const own = dims.slice(1).map((length, i) => (i + 1 === axis ? padded : length));
    const length = own.reduce((product, each) => product * each, rows);
    const data = type === 'int8' ? new Int8Array(length) : new Float32Array(length);
    if (name.endsWith('.offset')) data.fill(masked);
    const stack = { data, dims: own };
    stacks.set(name, stack);
    return stack;
  };
  return {
    contexts,
    add(encoding, isKept) {
      for (const [name, tensor] of Object.entries(encoding.cross)) {
        const { data, dims } = stackOf(name, tensor);
        const size = dims.reduce((product, each) => product * each, 1);
        const row = data.subarray(contexts.length * size, (contexts.length + 1) * size);
        copyPadded(row, tensor, contextAxis(name), padded);
      }
      contexts.push(encoding.context);
      if (!isKept) freeEncoding(encoding);
    },
    tensors() {
      return Object.fromEntries(
        Array.from(stacks, ([name, { data, dims }]) => {
          const used = data.subarray(0, (data.length / rows) * contexts.length);
          const shape = [contexts.length, ...dims];
          const isBytes = used instanceof Int8Array;
          return [name, isBytes ? int8Tensor(used, shape) : float32Tensor(used, shape)];
        }),
      );
    },
    close() {
      freeTensors(stacks.values());
    },
  };
}

/** The axis of the context in a cache of one chunk; null for scales, which have none. */
function contextAxis(name: string): number | null {
  if (name.endsWith('.scale')) return null;
  return name.endsWith('.value') ? 2 : 3;
}

function copyPadded(
  row: Float32Array | Int8Array,
  { data, dims }: Tensor,
  axis: number | null,
  padded: number,
): void {
  const numbers = data as Float32Array | Int8Array;
  if (axis === null) return row.set(numbers);
  const inner = dims.slice(axis + 1).reduce((product, each) => product * each, 1);
  const [from, to] = [dims[axis]! * inner, padded * inner];
  for (let block = 0; block * from < numbers.length; block += 1) {
    row.set(numbers.subarray(block * from, (block + 1) * from), block * to);
  }
}
