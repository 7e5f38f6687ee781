// A high-pass filter, for levels that are those of a voice.
import { sampleRate } from './sample-rate.ts';

/**
 * Butterworth, second order, by the bilinear transform (R. Bristow-Johnson, Audio EQ Cookbook).
 * The filter begins at rest. @param samples at 16 kHz @returns as many
 */
export function highPass(samples: Float32Array, cutoffHz: number): Float32Array {
  const omega = (2 * Math.PI * cutoffHz) / sampleRate;
  const cosine = Math.cos(omega);
  const alpha = Math.sin(omega) / Math.SQRT2;
  const gain = (1 + cosine) / 2 / (1 + alpha);
  const first = (-2 * cosine) / (1 + alpha);
  const second = (1 - alpha) / (1 + alpha);
  let [x1, x2, y1, y2] = [0, 0, 0, 0];
  return samples.map((x) => {
    const y = gain * (x - 2 * x1 + x2) - first * y1 - second * y2;
    [x2, x1, y2, y1] = [x1, x, y1, y];
    return y;
  });
}
