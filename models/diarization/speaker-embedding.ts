// GE2E speaker embeddings (Wan et al. 2018): one run over all windows of a stretch of audio.
import { createGraphSession } from '../onnx/graph-session.ts';
import type { SpeakerEmbeddingManifest } from '../onnx/manifest.ts';
import { float32Output, float32Tensor, int64Tensor } from '../onnx/tensor.ts';

export interface SpeakerEmbedder {
  /**
   * Unit vectors, row-major [windows, size], of windows of 1.6 s.
   * @param samples 16 kHz mono in -1..1
   * @param startSamples first sample of each window; a window that ends past the last sample sees
   * silence there
   */
  embed(samples: Float32Array, startSamples: readonly number[]): Promise<Float32Array>;
}

/** Loudness that the model was trained on: -30 dBFS, raised to when the audio is quieter. */
const targetRms = 10 ** (-30 / 20);

export async function loadSpeakerEmbedder(
  directory: string,
  { graph, files, windowFrames, hopSamples, size }: SpeakerEmbeddingManifest,
): Promise<SpeakerEmbedder> {
  const names = files.map(({ name }) => name);
  const session = await createGraphSession(graph, directory, names);
  return {
    async embed(samples, startSamples) {
      if (startSamples.length === 0) return new Float32Array(0);
      const frames = startSamples.map((start) => Math.round(start / hopSamples));
      const needed = (Math.max(...frames) + windowFrames) * hopSamples;
      const padded = normalised(samples, Math.max(samples.length, needed));
      const outputs = await session.run({
        samples: float32Tensor(padded, [1, padded.length]),
        starts: int64Tensor(BigInt64Array.from(frames, BigInt), [frames.length]),
      });
      return float32Output(outputs, 'embeddings', [frames.length, size]).data;
    },
  };
}

function normalised(samples: Float32Array, length: number): Float32Array {
  let energy = 0;
  for (const sample of samples) energy += sample * sample;
  const rms = Math.sqrt(energy / Math.max(1, samples.length));
  const gain = rms > 0 ? Math.max(1, targetRms / rms) : 1;
  const padded = new Float32Array(length);
  for (let i = 0; i < samples.length; i += 1) padded[i] = samples[i]! * gain;
  return padded;
}
