// The frequency of a tone.

/** From the zero crossings of the middle of the samples, which are 16 kHz. */
export function frequency(pcm: Int16Array): number {
  const middle = pcm.subarray(pcm.length / 4, (pcm.length * 3) / 4);
  let crossings = 0;
  for (let i = 1; i < middle.length; i += 1) {
    if (middle[i - 1]! < 0 !== middle[i]! < 0) crossings += 1;
  }
  return crossings / 2 / (middle.length / 16_000);
}
