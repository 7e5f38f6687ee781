// The sessions of Moonshine's decoder over several clips, whose caches are rows of one tensor each.
import type { MoonshineManifest } from '../bundles/manifest.ts';
import { freeTensors } from '../onnx/free-tensors.ts';
import type { Session, Tensor, Tensors } from '../onnx/session.ts';
import { float32Output, float32Tensor, int64Output, int64Tensor } from '../onnx/tensor.ts';
import { keepRows, stackRows } from '../onnx/tensor-rows.ts';
import type { DecoderRows } from './greedy.ts';

/** Far below every score, so that a masked frame gets no weight. */
const masked = -1e9;
/**
 * Frames are padded to a multiple of this, so that the sums of a clip are computed in the same
 * order, to the last bit, whatever clips are beside it (docs/adr/0027).
 */
const frameBlock = 64;

/** Rows that can also say how likely any token is. */
export interface MoonshineRows extends DecoderRows {
  /** Feeds a token to each row. @returns the logits of each row, [vocabulary] */
  read(tokens: readonly number[]): Promise<readonly Float32Array[]>;
  /** Frees the memory of the rows. */
  close(): void;
}

export interface DecoderSessions {
  /** Maps the encoder states of one clip to keys and values of the cross-attention. */
  readonly cross: Session;
  /** Maps a token of each row to the next one. */
  readonly step: Session;
}

/** The padded number of frames of a clip beside others that are no longer. */
export function paddedFrames(frames: number): number {
  return Math.ceil(frames / frameBlock) * frameBlock;
}

/** @param clips encoder states, each [1, frames, hidden] */
export async function openRows(
  { cross, step }: DecoderSessions,
  { layers, heads, headSize }: MoonshineManifest,
  clips: readonly Tensor[],
): Promise<MoonshineRows> {
  const frames = paddedFrames(Math.max(...clips.map(({ dims }) => dims[1]!)));
  const parts = ['key', 'value'];
  const names = Array.from({ length: layers }, (_, layer) =>
    parts.map((part) => `${layer}.${part}`),
  ).flat();
  const stacks = new Map(cross.outputNames.map((name) => [name, stackRows(clips.length)]));
  let crossed: Tensors = {};
  for (const [row, clip] of clips.entries()) {
    // Hypotheses of one clip have the same keys and values.
    if (row === 0 || clip !== clips[row - 1]) {
      crossed = await cross.run({ states: padded(clip, frames) });
    }
    const isKept = clip === clips[row + 1];
    for (const [name, stack] of stacks) stack.add(crossed[name]!, isKept);
  }
  const empty = float32Tensor(new Float32Array(0), [clips.length, heads, 0, headSize]);
  let caches: Record<string, Tensor> = { mask: maskOf(clips, frames) };
  for (const [name, stack] of stacks) caches[name] = stack.rows();
  for (const name of names) caches[`past.${name}`] = empty;
  const run = async (tokens: readonly number[], fetched: readonly string[]): Promise<Tensors> => {
    const token = int64Tensor(BigInt64Array.from(tokens, BigInt), [tokens.length, 1]);
    const presents = names.map((name) => `present.${name}`);
    const outputs = await step.run({ ...caches, token }, [...fetched, ...presents]);
    freeTensors(names.map((name) => caches[`past.${name}`]!));
    for (const name of names) caches[`past.${name}`] = outputs[`present.${name}`]!;
    return outputs;
  };
  return {
    async read(tokens) {
      const outputs = await run(tokens, ['logits']);
      const { data } = float32Output(outputs, 'logits', [tokens.length, -1]);
      const size = data.length / tokens.length;
      return tokens.map((_, row) => data.subarray(row * size, (row + 1) * size));
    },
    async step(tokens) {
      const outputs = await run(tokens, ['next', 'probability']);
      const ids = int64Output(outputs, 'next', [tokens.length, 1]);
      const { data } = float32Output(outputs, 'probability', [tokens.length, 1]);
      // Not computed in the graph, where the logarithm of a single row differs in its last digits.
      return Array.from(ids, (id, row) => ({
        id: Number(id),
        logProbability: Math.log(data[row]!),
      }));
    },
    keep(rows) {
      caches = Object.fromEntries(
        Object.entries(caches).map(([name, cache]) => [name, keepRows(cache, rows)]),
      );
    },
    close() {
      freeTensors(Object.values(caches));
    },
  };
}

/** Zero padding does not change the scale, because zero is always within the quantised range. */
function padded(states: Tensor, frames: number): Tensor {
  const width = states.dims[2]!;
  const data = new Float32Array(frames * width);
  data.set(states.data as Float32Array);
  return float32Tensor(data, [1, frames, width]);
}

function maskOf(clips: readonly Tensor[], frames: number): Tensor {
  const mask = new Float32Array(clips.length * frames);
  clips.forEach(({ dims }, row) => mask.fill(masked, row * frames + dims[1]!, (row + 1) * frames));
  return float32Tensor(mask, [clips.length, 1, 1, frames]);
}
