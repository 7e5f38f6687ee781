// Whisper's decoder: session I/O with its KV cache; what comes out is decided in `transcribe.ts`.
import type { WhisperManifest } from '../../bundles/manifest.ts';
import type { Session, Tensor } from '../../onnx/session.ts';
import { float32Output, float32Tensor, int64Tensor } from '../../onnx/tensor.ts';
import type { WhisperEncoding } from './encoder.ts';

/** A decoder that has read some tokens; each call reads more and returns the next logits. */
export interface DecoderRun {
  /** @returns logits after the last of `tokens`, [vocabulary]; the array is the caller's */
  read(tokens: readonly number[]): Promise<Float32Array>;
  /** A run that has read the same and goes its own way. */
  fork(): DecoderRun;
}

export interface WhisperDecoder {
  start(encoding: WhisperEncoding): DecoderRun;
}

export function createWhisperDecoder(session: Session, manifest: WhisperManifest): WhisperDecoder {
  const { layers, heads, headSize, vocabularySize } = manifest;
  const cacheNames = Array.from({ length: layers }, (_, layer) => [
    `${layer}.key`,
    `${layer}.value`,
  ]).flat();
  const fetched = ['logits', ...cacheNames.map((name) => `present.${name}`)];

  const run = (encoding: WhisperEncoding, caches: Readonly<Record<string, Tensor>>): DecoderRun => {
    let past = caches;
    return {
      async read(tokens) {
        const ids = int64Tensor(BigInt64Array.from(tokens, BigInt), [1, tokens.length]);
        const outputs = await session.run({ tokens: ids, ...past, ...encoding.cross }, fetched);
        past = Object.fromEntries(
          cacheNames.map((name) => [`past.${name}`, outputs[`present.${name}`]!]),
        );
        return float32Output(outputs, 'logits', [1, 1, vocabularySize]).data;
      },
      fork: () => run(encoding, past),
    };
  };

  const empty = float32Tensor(new Float32Array(0), [1, heads, 0, headSize]);
  const none = Object.fromEntries(cacheNames.map((name) => [`past.${name}`, empty]));
  return { start: (encoding) => run(encoding, none) };
}
