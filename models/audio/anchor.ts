// A place in a sound that stays where it is when more or less is cut off around it.

/**
 * The sample up to which there is half of the sound, by the fourth power of its amplitude: what is
 * quiet at the edges hardly moves it, and the level does not at all.
 * @returns 0 for silence
 */
export function anchorOf(samples: Float32Array): number {
  let rest = 0;
  for (let i = 0; i < samples.length; i += 1) rest += samples[i]! ** 4;
  rest /= 2;
  let anchor = 0;
  while (rest > 0 && anchor < samples.length) {
    rest -= samples[anchor]! ** 4;
    anchor += 1;
  }
  return anchor;
}
