// Windowed frames of a short-time Fourier transform, folded for a transform of half the size.

const windowSamples = 400;
const hopSamples = 160;
const half = windowSamples / 2;

/** Hann, periodic. */
const hann = Float32Array.from(
  { length: windowSamples },
  (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / windowSamples),
);

export interface FoldedFrames {
  /** [frames, 201]: x[n] + x[400 - n] of the windowed frame; its spectrum's real part. */
  readonly even: Float32Array;
  /** [frames, 199]: x[n] - x[400 - n] for n from 1; its spectrum's imaginary part. */
  readonly odd: Float32Array;
}

/**
 * Frames of 25 ms every 10 ms, each centred on its hop, with the signal mirrored at both ends
 * (Whisper's front end, Radford et al. 2022; torch.stft with `center`).
 * @param samples 16 kHz mono; what is missing to `frames` hops is silence
 */
export function foldFrames(samples: Float32Array, frames: number): FoldedFrames {
  const mirrored = mirrorEnds(samples, frames * hopSamples);
  const even = new Float32Array(frames * (half + 1));
  const odd = new Float32Array(frames * (half - 1));
  for (let frame = 0; frame < frames; frame += 1) {
    const from = frame * hopSamples;
    const e = frame * (half + 1);
    const o = frame * (half - 1) - 1;
    // The window is zero at its first sample.
    even[e + half] = mirrored[from + half]! * hann[half]!;
    for (let n = 1; n < half; n += 1) {
      const a = mirrored[from + n]! * hann[n]!;
      const b = mirrored[from + windowSamples - n]! * hann[n]!;
      even[e + n] = a + b;
      odd[o + n] = a - b;
    }
  }
  return { even, odd };
}

function mirrorEnds(samples: Float32Array, length: number): Float32Array {
  const mirrored = new Float32Array(length + windowSamples);
  mirrored.set(samples.length > length ? samples.subarray(0, length) : samples, half);
  for (let n = 1; n <= half; n += 1) {
    mirrored[half - n] = mirrored[half + n]!;
    mirrored[half + length - 1 + n] = mirrored[half + length - 1 - n]!;
  }
  return mirrored;
}
