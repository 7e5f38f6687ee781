// Whisper's encoder (Radford et al. 2022): samples to keys and values of the decoder's
// cross-attention.
import { foldFrames } from '../../audio/folded-frames.ts';
import type { WhisperManifest } from '../../bundles/manifest.ts';
import { multipliesExactly } from '../../onnx/exact-products.ts';
import { freeNumbers, freeTensors } from '../../onnx/free-tensors.ts';
import type { Session, Tensor, Tensors } from '../../onnx/session.ts';
import { float32Tensor, int64Tensor, UnexpectedOutputError } from '../../onnx/tensor.ts';

const hopSamples = 160;
/** The published model reads 30 s at once, silence included. */
export const fullFrames = 3_000;
/** Padding that a clip keeps after its end; with 1 s longer chunks had no fewer errors. */
const marginFrames = 100;
/**
 * The minimum to which speech of 6 s and more is padded, and that of shorter clips, unless a bundle
 * names another. In 5 s single words are repeated or loop (16 of 150 telephone prompts), in 10 s
 * Russian prompts have two points more errors than in 15 s; base.en has not. 7,169 words of joined
 * Spanish, French, Italian and Russian prompts of 6 to 11 s had 1,321 errors in 15 s, 1,330 in
 * 12 s.
 */
const minFrames = 1_200;
const minShortFrames = 1_500;
const shortFrames = 600;
/**
 * The minimum where only the language is of interest, which is heard as well in it: in 211 clips of
 * 1.3 to 3.6 s 188 times, 189 in 7 s and 186 in 10 s.
 */
export const detectionFrames = 400;
/** Frames come in multiples of this, of which every minimum is one. */
const stepFrames = 20;

export interface WhisperEncoding {
  /**
   * Bytes `cross.<layer>.key`, [1, heads, head size, context], and `.value`, [1, heads, context,
   * head size]; each with `.scale`, [1, 1, heads, head size], and keys with `.offset`, [1, heads,
   * 1, context], which is added to the products of unsigned queries.
   */
  readonly cross: Readonly<Record<string, Tensor>>;
  /** Positions of 20 ms. */
  readonly context: number;
}

/** Steps of a byte between zero and the largest magnitude of its channel. */
const byteSteps = 127;
/** Sums of two products with unsigned bytes fit into 16 bits, which some processors need. */
const saturatingByteSteps = 63;

/** Frees the memory of an encoding, which must not be read afterwards. */
export function freeEncoding({ cross }: WhisperEncoding): void {
  freeTensors(Object.values(cross));
}

/**
 * The frames of a clip: far fewer than those of 30 s, which makes a short clip cheaper.
 * @param least even; absent: the usual minimum
 */
export function clipFrames(samples: number, least?: number): number {
  const own = Math.ceil(samples / hopSamples);
  const usual = own < shortFrames ? minShortFrames : minFrames;
  const padded = Math.max(least ?? usual, own + marginFrames);
  return Math.min(fullFrames, Math.ceil(padded / stepFrames) * stepFrames);
}

/** @param samples 16 kHz mono in -1..1, at most 30 s @param frames even, at most 3,000 */
export async function encodeWhisper(
  session: Session,
  { heads, headSize, layers }: WhisperManifest,
  samples: Float32Array,
  frames: number,
): Promise<WhisperEncoding> {
  const clip = Math.min(frames, Math.ceil(samples.length / hopSamples));
  const { even, odd } = foldFrames(samples, clip);
  const context = frames / 2;
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
  const steps = (await multipliesExactly()) ? byteSteps : saturatingByteSteps;
  const outputs = await session.run(
    {
      even: float32Tensor(even, [clip, 201]),
      odd: float32Tensor(odd, [clip, 199]),
      padding: int64Tensor(BigInt64Array.of(BigInt(frames - clip)), [1]),
      byte_step: float32Tensor(Float32Array.of(1 / steps), []),
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
