// A linear head on a chunk and on its parts: means and deviations over overlapping stretches of
// frames, from sums of blocks that the stretches share; pure.
import type { Tensor } from '../onnx/session.ts';

/** A quarter of a second. */
const blockFrames = 11;
/** 1.6 s. */
const blocksPerPart = 6;

export interface HeadProducts {
  readonly whole: number;
  /** Of each part; they start a quarter of a second after each other. [] where nobody asked. */
  readonly parts: readonly number[];
}

/**
 * Means and deviations times their weights, of a chunk and of its parts.
 * @param layers [1, frames, hidden] each
 * @param weights layer by layer those of the means, then those of the deviations
 */
export function headProducts(
  weights: Float32Array,
  layers: readonly Tensor[],
  { inParts }: { readonly inParts: boolean },
): HeadProducts {
  const frames = layers[0]!.dims[1]!;
  const blocks = Math.max(1, Math.floor(frames / blockFrames));
  const count = inParts ? Math.max(1, blocks - blocksPerPart + 1) : 0;
  const parts = Array.from({ length: count }, () => 0);
  let whole = 0;
  let offset = 0;
  for (const layer of layers) {
    const hidden = layer.dims[2]!;
    const own = weights.subarray(offset, (offset += 2 * hidden));
    const sums = sumsOfBlocks(layer, blocks);
    whole += product(own, sums);
    for (const part of parts.keys()) {
      parts[part]! += product(own, sums.slice(part, part + blocksPerPart));
    }
  }
  if (offset !== weights.length) throw new Error(`the head has ${weights.length} weights`);
  return { whole, parts };
}

interface BlockSums {
  readonly frames: number;
  /** By column. */
  readonly totals: Float64Array;
  readonly squares: Float64Array;
}

/** The last block takes the frames that are left. */
function sumsOfBlocks({ data, dims }: Tensor, blocks: number): readonly BlockSums[] {
  const [, frames = 0, hidden = 0] = dims;
  const values = data as Float32Array;
  return Array.from({ length: blocks }, (_, block) => {
    const from = block * blockFrames;
    const to = block === blocks - 1 ? frames : from + blockFrames;
    const totals = new Float64Array(hidden);
    const squares = new Float64Array(hidden);
    for (let frame = from; frame < to; frame += 1) {
      const row = frame * hidden;
      for (let column = 0; column < hidden; column += 1) {
        const value = values[row + column]!;
        totals[column]! += value;
        squares[column]! += value * value;
      }
    }
    return { frames: to - from, totals, squares };
  });
}

function product(weights: Float32Array, blocks: readonly BlockSums[]): number {
  const frames = blocks.reduce((sum, block) => sum + block.frames, 0);
  const hidden = weights.length / 2;
  let sum = 0;
  for (let column = 0; column < hidden; column += 1) {
    let total = 0;
    let squares = 0;
    for (const block of blocks) {
      total += block.totals[column]!;
      squares += block.squares[column]!;
    }
    const mean = total / frames;
    const deviation = Math.sqrt(Math.max(0, squares / frames - mean ** 2));
    sum += weights[column]! * mean + weights[hidden + column]! * deviation;
  }
  return sum;
}
