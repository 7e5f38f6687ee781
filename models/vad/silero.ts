// Silero voice activity detection (Silero Team 2024, v6): one run over a whole segment of audio.
import { join } from 'node:path';
import type { SileroManifest } from '../bundles/manifest.ts';
import { freeNumbers } from '../onnx/free-tensors.ts';
import { createSession } from '../onnx/session.ts';
import { float32Output, float32Tensor } from '../onnx/tensor.ts';

/** Speech probabilities of a segment of audio. */
export interface VoiceActivityModel {
  /**
   * One probability for each hop of 512 samples; the last hop is zero-padded. The recurrent state
   * starts at zero, so a second of warm-up should precede what matters.
   * @param samples 16 kHz mono in -1..1
   */
  probabilities(samples: Float32Array): Promise<Float32Array>;
}

/** Loads the sequence form of the model, whose graph contains the loop over its LSTM. */
export async function loadSilero(
  directory: string,
  manifest: SileroManifest,
): Promise<VoiceActivityModel> {
  const session = await createSession(join(directory, manifest.model));
  const { stateSize } = manifest;
  return {
    async probabilities(samples) {
      if (samples.length === 0) return new Float32Array(0);
      const { frames, hops } = overlappingFrames(samples, manifest);
      const initialState = (): Float32Array => new Float32Array(stateSize);
      const outputs = await session.run({
        input: float32Tensor(frames, [hops, manifest.contextSamples + manifest.hopSamples]),
        h: float32Tensor(initialState(), [1, 1, stateSize]),
        c: float32Tensor(initialState(), [1, 1, stateSize]),
      });
      freeNumbers(frames);
      return float32Output(outputs, 'speech_probs', [hops]).data;
    },
  };
}

/** Frames of context + hop, flattened to [hops, context + hop]; zeros precede the start. */
function overlappingFrames(
  samples: Float32Array,
  { hopSamples, contextSamples }: SileroManifest,
): { frames: Float32Array; hops: number } {
  const hops = Math.ceil(samples.length / hopSamples);
  const width = contextSamples + hopSamples;
  const frames = new Float32Array(hops * width);
  for (let hop = 0; hop < hops; hop += 1) {
    const first = hop * hopSamples - contextSamples;
    const from = Math.max(0, first);
    frames.set(samples.subarray(from, first + width), hop * width + (from - first));
  }
  return { frames, hops };
}
