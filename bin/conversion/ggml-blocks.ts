// Numbers as ggml stores them: floats, and blocks of 32 that share a scale (ggml-quants.c).
import { halves } from '../setup/int8-rows.mjs';
import { toFloats } from './tensors.ts';

/** Numbers of a block. */
const blockSize = 32;
const halfBlock = blockSize / 2;

interface GgmlType {
  readonly name: string;
  readonly blockSize: number;
  readonly blockBytes: number;
  read(data: Buffer): Float32Array;
}

/** By the number in the file. */
export const ggmlTypes: ReadonlyMap<number, GgmlType> = new Map([
  [0, plain('f32', 'F32', 4)],
  [1, plain('f16', 'F16', 2)],
  [2, blocks('q4_0', { bits: 4, hasOffset: false })],
  [3, blocks('q4_1', { bits: 4, hasOffset: true })],
  [6, blocks('q5_0', { bits: 5, hasOffset: false })],
  [7, blocks('q5_1', { bits: 5, hasOffset: true })],
  [8, bytes()],
  [30, plain('bf16', 'BF16', 2)],
]);

function plain(name: string, type: 'F32' | 'F16' | 'BF16', bytesEach: number): GgmlType {
  return { name, blockSize: 1, blockBytes: bytesEach, read: (data) => toFloats(data, type) };
}

/** q8_0: a scale, then signed bytes. */
function bytes(): GgmlType {
  const blockBytes = 2 + blockSize;
  return {
    ...{ name: 'q8_0', blockSize, blockBytes },
    read: (data) =>
      readBlocks(data, blockBytes, (at, put) => {
        const scale = halves[data.readUInt16LE(at)]!;
        for (let i = 0; i < blockSize; i += 1) put(i, data.readInt8(at + 2 + i) * scale);
      }),
  };
}

interface Quantisation {
  readonly bits: 4 | 5;
  /** Unsigned steps above an offset of the block, instead of steps around zero. */
  readonly hasOffset: boolean;
}

/**
 * A scale, an offset where there is one, the fifth bits of all numbers, and their low four bits:
 * those of the first half in the low, those of the second half in the high half of each byte.
 */
function blocks(name: string, { bits, hasOffset }: Quantisation): GgmlType {
  const highAt = hasOffset ? 4 : 2;
  const lowAt = highAt + (bits === 5 ? 4 : 0);
  const blockBytes = lowAt + halfBlock;
  return {
    ...{ name, blockSize, blockBytes },
    read: (data) =>
      readBlocks(data, blockBytes, (at, put) => {
        const scale = halves[data.readUInt16LE(at)]!;
        const offset = hasOffset ? halves[data.readUInt16LE(at + 2)]! : -scale * 2 ** (bits - 1);
        const high = bits === 5 ? data.readUInt32LE(at + highAt) : 0;
        for (let i = 0; i < blockSize; i += 1) {
          const byte = data[at + lowAt + (i % halfBlock)]!;
          const low = i < halfBlock ? byte & 15 : byte >> 4;
          const step = low + ((high >>> i) & 1) * 16;
          put(i, step * scale + offset);
        }
      }),
  };
}

function readBlocks(
  data: Buffer,
  blockBytes: number,
  read: (at: number, put: (index: number, value: number) => void) => void,
): Float32Array {
  const count = data.length / blockBytes;
  const values = new Float32Array(count * blockSize);
  for (let block = 0; block < count; block += 1) {
    read(block * blockBytes, (index, value) => (values[block * blockSize + index] = value));
  }
  return values;
}
