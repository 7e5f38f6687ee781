// Whisper's encoder (Radford et al. 2022): samples to keys and values of the decoder's
// cross-attention.
import { foldFrames } from '../../audio/folded-frames.ts';
import type { WhisperManifest } from '../../bundles/manifest.ts';
import { freeTensors } from '../../onnx/free-tensors.ts';
import type { Session, Tensor } from '../../onnx/session.ts';
import { float32Output, float32Tensor, int64Tensor } from '../../onnx/tensor.ts';

const hopSamples = 160;
/** The published model reads 30 s at once, silence included. */
export const fullFrames = 3_000;
/** Padding that a clip keeps after its end. */
const marginFrames = 200;
/**
 * The minimum to which a clip is padded, unless its bundle names another. In 5 s single words are
 * repeated or loop (16 of 150 telephone prompts), in 10 s Russian prompts have two points more
 * errors than in 15 s; base.en has not.
 */
const usualMinFrames = 1_500;
/**
 * What speech of 6 to 11 s is padded to, with 1 s behind its end at least: 7,169 words of joined
 * Spanish, French, Italian and Russian prompts had 1,321 errors in 15 s, 1,330 in 12 s.
 */
const middle = { frames: 1_200, least: 600, marginFrames: 100 };
/**
 * The minimum where only the language is of interest, which is heard as well in it: in 150 clips of
 * 1.6 to 3.4 s 138 times, 139 in the usual one.
 */
export const detectionFrames = 700;
/** Longer clips share few lengths, because only contexts of one length are decoded together. */
const stepFrames = 200;

export interface WhisperEncoding {
  /**
   * `cross.<layer>.key`, [1, heads, head size, context], divided by the root of the size, and
   * `.value`, [1, heads, context, head size].
   */
  readonly cross: Readonly<Record<string, Tensor>>;
}

/** Frees the memory of an encoding, which must not be read afterwards. */
export function freeEncoding({ cross }: WhisperEncoding): void {
  freeTensors(Object.values(cross));
}

/**
 * The frames of a clip: far fewer than those of 30 s, which makes a short clip cheaper.
 * @param minFrames even
 */
export function clipFrames(samples: number, minFrames?: number): number {
  const own = Math.ceil(samples / hopSamples);
  const least = minFrames ?? usualMinFrames;
  const fitsMiddle = own >= middle.least && own + middle.marginFrames <= middle.frames;
  if (minFrames === undefined && fitsMiddle) return middle.frames;
  const steps = Math.max(0, Math.ceil((own + marginFrames - least) / stepFrames));
  return Math.min(fullFrames, least + steps * stepFrames);
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
  const names = Array.from({ length: layers }, (_, layer) =>
    ['key', 'value'].map((part) => `cross.${layer}.${part}`),
  ).flat();
  const outputs = await session.run(
    {
      even: float32Tensor(even, [clip, 201]),
      odd: float32Tensor(odd, [clip, 199]),
      padding: int64Tensor(BigInt64Array.of(BigInt(frames - clip)), [1]),
    },
    names,
  );
  for (const name of names) {
    const size = [headSize, frames / 2];
    float32Output(outputs, name, [1, heads, ...(name.endsWith('key') ? size : size.toReversed())]);
  }
  return { cross: outputs };
}
