// Two voices for a fake pool: samples of 1 are the first, of 2 the second; zeros are silence.
import { countHopSamples } from '../../models/diarization/hops.ts';
import { windowSamples } from '../../models/diarization/windows.ts';

/** Probabilities of one and of several voices for each hop. */
export async function detectVoices(pcm: Int16Array): Promise<Float32Array> {
  const hops = Math.ceil(pcm.length / countHopSamples);
  const counts = new Float32Array(2 * hops);
  for (let hop = 0; hop < hops; hop += 1) {
    counts[2 * hop] = pcm[hop * countHopSamples] === 0 ? 0.01 : 0.98;
    counts[2 * hop + 1] = 0.01;
  }
  return counts;
}

/** A direction for each voice; a window with both lies between them. */
export async function embedVoices(
  pcm: Int16Array,
  startSamples: readonly number[],
): Promise<Float32Array> {
  const vectors = new Float32Array(2 * startSamples.length);
  startSamples.forEach((start, i) => {
    const window = pcm.subarray(start, start + windowSamples);
    const shares = [1, 2].map((voice) => window.filter((sample) => sample === voice).length);
    const length = Math.hypot(...shares) || 1;
    vectors.set(
      shares.map((share) => share / length),
      2 * i,
    );
  });
  return vectors;
}
