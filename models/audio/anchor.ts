// A place in a sound that stays where it is when more or less is cut off around it.

/**
 * The sample up to which there is half of the sound, by the fourth power of its amplitude: what is
 * quiet at the edges hardly moves it, and the level does not at all.
 * @returns 0 for silence
 */
export function anchorOf(samples: Float32Array): number {
  let rest = 0;
  for (let i = 0; i < samples.length; i += 1) rest += fourthPower(samples[i]!);
  rest /= 2;
  let anchor = 0;
  while (rest > 0 && anchor < samples.length) {
    rest -= fourthPower(samples[anchor]!);
    anchor += 1;
  }
  return anchor;
}

/** Nine times as fast as the operator, and each chunk and span has its samples read here. */
function fourthPower(sample: number): number {
  const square = sample * sample;
  return square * square;
}
