// The delay with which one signal holds another, by generalised cross-correlation with phase
// transform (Knapp and Carter 1976, "The generalized correlation method for estimation of time
// delay"): each frequency counts alike, so a filter or a level between the two hardly matters.
import { createTransform } from './fourier.ts';

/** Less is rounding: signals have a power of 1. */
const leastMagnitude = 1e-12;

export interface DelayFinderOptions {
  /** Samples per second of both signals. */
  readonly rate: number;
  /** Of the signal that may hold the other. */
  readonly samples: number;
  readonly maxDelaySamples: number;
  /** By so much the other may even be later. */
  readonly maxLeadSamples: number;
  /** In Hz; other frequencies do not count. */
  readonly band: readonly [low: number, high: number];
}

export interface FoundDelay {
  readonly delaySamples: number;
  /** Of the frequencies' phases, as they would be for that delay: 1 for a copy, near 0 for none. */
  readonly similarity: number;
}

/**
 * @returns takes `samples` of a signal, and those of another from `maxDelaySamples` before these to
 * `maxLeadSamples` after them
 */
export function createDelayFinder(
  options: DelayFinderOptions,
): (holding: Float32Array, held: Float32Array) => FoundDelay {
  const { rate, samples, maxDelaySamples, maxLeadSamples, band } = options;
  const size = 2 ** Math.ceil(Math.log2(samples + maxDelaySamples + maxLeadSamples));
  const transform = createTransform(size);
  const [real, imaginary] = [new Float64Array(size), new Float64Array(size)];
  const [cosines, sines] = [new Float64Array(size), new Float64Array(size)];
  const [from, to] = band.map((hertz) => Math.round((hertz * size) / rate)) as [number, number];
  return (holding, held) => {
    // Both in one transform, as a complex signal; its spectrum's symmetry separates them. At
    // one level neither is within the rounding of the other.
    real.fill(0).set(levelled(holding));
    imaginary.fill(0).set(levelled(held));
    transform(real, imaginary);
    cosines.fill(0);
    sines.fill(0);
    for (let k = from; k < to; k += 1) {
      const [a, b] = [real[k]!, imaginary[k]!];
      const [c, d] = [real[size - k]!, imaginary[size - k]!];
      const [ownRe, ownIm] = [a + c, b - d];
      const [otherRe, otherIm] = [b + d, c - a];
      // The conjugate of the cross spectrum, whose transform is the correlation.
      const re = ownRe * otherRe + ownIm * otherIm;
      const im = ownIm * otherRe - ownRe * otherIm;
      const magnitude = Math.hypot(re, im);
      if (magnitude < leastMagnitude) continue;
      cosines[k] = cosines[size - k] = re / magnitude;
      sines[k] = im / magnitude;
      sines[size - k] = -sines[k]!;
    }
    transform(cosines, sines);
    let best = 0;
    for (let lag = 0; lag <= maxDelaySamples + maxLeadSamples; lag += 1) {
      if (cosines[lag]! > cosines[best]!) best = lag;
    }
    const similarity = cosines[best]! / (2 * (to - from));
    return { delaySamples: maxDelaySamples - best, similarity };
  };
}

function levelled(samples: Float32Array): Float32Array {
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0);
  return power === 0 ? samples : samples.map((sample) => sample / Math.sqrt(power));
}
