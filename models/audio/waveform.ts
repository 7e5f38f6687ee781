// PCM16 and float samples.

/** PCM16 to -1..1. */
export function toFloat(pcm: Int16Array): Float32Array {
  const samples = new Float32Array(pcm.length);
  for (let i = 0; i < pcm.length; i += 1) samples[i] = pcm[i]! / 32_768;
  return samples;
}

/** -1..1 to PCM16, clipped. */
export function toPcm16(samples: Float32Array): Int16Array {
  const pcm = new Int16Array(samples.length);
  for (let i = 0; i < samples.length; i += 1) {
    pcm[i] = Math.max(-32_768, Math.min(32_767, Math.round(samples[i]! * 32_768)));
  }
  return pcm;
}
