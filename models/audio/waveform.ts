// PCM16 and float samples.
import { fullScale } from './samples.ts';

/** PCM16 to -1..1. */
export function toFloat(pcm: Int16Array): Float32Array {
  const samples = new Float32Array(pcm.length);
  for (let i = 0; i < pcm.length; i += 1) samples[i] = pcm[i]! / fullScale;
  return samples;
}

/** -1..1 to PCM16, clipped. */
export function toPcm16(samples: Float32Array): Int16Array {
  const pcm = new Int16Array(samples.length);
  for (let i = 0; i < samples.length; i += 1) {
    pcm[i] = Math.max(-fullScale, Math.min(fullScale - 1, Math.round(samples[i]! * fullScale)));
  }
  return pcm;
}
