// Whisper's encoder (Radford et al. 2022): samples to keys and values of the decoder's
// cross-attention.
import { foldFrames } from '../../audio/folded-frames.ts';
import type { WhisperManifest } from '../../bundles/manifest.ts';
import { freeNumbers, freeTensors } from '../../onnx/free-tensors.ts';
import type { Session, Tensor, Tensors } from '../../onnx/session.ts';
import { float32Tensor, int64Tensor, UnexpectedOutputError } from '../../onnx/tensor.ts';
import { hopSamples, type PaddedWindow } from './padded-window.ts';

export interface WhisperEncoding {
  /**
   * Bytes `cross.<layer>.key`, [1, heads, head size, context], and `.value`, [1, heads, context,
   * head size]; each with `.scale`, [1, 1, heads, head size], and keys with `.offset`, [1, heads,
   * 1, context], which is added to the products of unsigned queries.
   */
  readonly cross: Readonly<Record<string, Tensor>>;
  /** States. */
  readonly context: number;
}

/**
 * Steps of a byte between zero and the largest magnitude of its channel: sums of two products with
 * unsigned bytes fit into 16 bits, which some processors need (docs/adr/0078).
 */
const byteSteps = 63;

/** Frees the memory of an encoding, which must not be read afterwards. */
export function freeEncoding({ cross }: WhisperEncoding): void {
  freeTensors(Object.values(cross));
}

/** @param samples 16 kHz mono in -1..1, at most 30 s */
export async function encodeWhisper(
  session: Session,
  { heads, headSize, layers }: WhisperManifest,
  samples: Float32Array,
  { frames, positions, counts }: PaddedWindow,
): Promise<WhisperEncoding> {
  const clip = Math.min(frames, Math.ceil(samples.length / hopSamples));
  const { even, odd } = foldFrames(samples, clip);
  const context = positions.length;
  const scale = [1, 1, heads, headSize];
  const key = [1, heads, headSize, context];
  const shapes = Array.from(
    { length: layers },
    (_, layer) =>
      [
        [`cross.${layer}.key`, key],
        [`cross.${layer}.key.scale`, scale],
        [`cross.${layer}.key.offset`, [1, heads, 1, context]],
        [`cross.${layer}.value`, [1, heads, context, headSize]],
        [`cross.${layer}.value.scale`, scale],
      ] as const,
  ).flat();
  const outputs = await session.run(
    {
      even: float32Tensor(even, [clip, 201]),
      odd: float32Tensor(odd, [clip, 199]),
      padding: int64Tensor(BigInt64Array.of(BigInt(frames - clip)), [1]),
      positions: int64Tensor(BigInt64Array.from(positions, BigInt), [context]),
      counts: float32Tensor(Float32Array.from(counts), [context]),
      byte_step: float32Tensor(Float32Array.of(1 / byteSteps), []),
    },
    shapes.map(([name]) => name),
  );
  for (const half of [even, odd]) freeNumbers(half);
  for (const [name, shape] of shapes) requireShape(outputs, name, shape);
  return { cross: outputs, context };
}

function requireShape(outputs: Tensors, name: string, shape: readonly number[]): void {
  const dims = outputs[name]!.dims.join();
  if (dims === shape.join()) return;
  throw new UnexpectedOutputError(`output ${name} is [${dims}], not [${shape.join()}]`);
}
