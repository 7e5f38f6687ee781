// Speaker embeddings of windows: CAM++ (Wang et al. 2023) with a discriminant projection.
import { freeNumbers } from '../onnx/free-tensors.ts';
import { createGraphSession } from '../onnx/graph-session.ts';
import { ModelLoadingError } from '../bundles/manifests.ts';
import type { SpeakerEmbeddingManifest } from '../bundles/manifest.ts';
import { hopSamples, windowSamples } from './windows.ts';
import { float32Output, float32Tensor, int64Tensor } from '../onnx/tensor.ts';

export interface SpeakerEmbedder {
  /**
   * Unit vectors, row-major [windows, size], of windows of 1.6 s.
   * @param samples 16 kHz mono in -1..1
   * @param startSamples first sample of each window; beyond the last sample a window is padded with
   * silence
   */
  embed(samples: Float32Array, startSamples: readonly number[]): Promise<Float32Array>;
}

/** Quieter audio is raised to -30 dBFS, as some bands would fall below the filter bank's floor. */
const targetRms = 10 ** (-30 / 20);
/** A frame is 25 ms long, of which only whole ones count. */
const windowFrames = windowSamples / hopSamples - 2;
/** Windows per run: 16 would save no time and take 110 MB more. */
const batchWindows = 4;

/** @throws ModelLoadingError for weights of other windows than are planned */
export async function loadSpeakerEmbedder(
  directory: string,
  { graph, files, size, ...window }: SpeakerEmbeddingManifest,
): Promise<SpeakerEmbedder> {
  if (window.hopSamples !== hopSamples || window.windowFrames !== windowFrames) {
    const asked = `windows of ${windowFrames} frames, ${hopSamples} samples apart`;
    throw new ModelLoadingError(`the speaker embedding was exported for others than ${asked}`);
  }
  const names = files.map(({ name }) => name);
  const session = await createGraphSession([graph], directory, names);
  return {
    async embed(samples, startSamples) {
      if (startSamples.length === 0) return new Float32Array(0);
      const frames = startSamples.map((start) => Math.round(start / hopSamples));
      // A frame is longer than a hop.
      const needed = (Math.max(...frames) + windowFrames + 2) * hopSamples;
      const padded = normalised(samples, Math.max(samples.length, needed));
      const embeddings = new Float32Array(frames.length * size);
      for (let at = 0; at < frames.length; at += batchWindows) {
        const batch = frames.slice(at, at + batchWindows);
        const first = Math.min(...batch);
        const end = Math.max(...batch) + windowFrames;
        const part = padded.subarray(first * hopSamples, (end + 2) * hopSamples);
        const starts = BigInt64Array.from(batch, (frame) => BigInt(frame - first));
        const outputs = await session.run({
          samples: float32Tensor(part, [1, part.length]),
          starts: int64Tensor(starts, [batch.length]),
        });
        const { data } = float32Output(outputs, 'embeddings', [batch.length, size]);
        embeddings.set(data, at * size);
      }
      freeNumbers(padded);
      return embeddings;
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
