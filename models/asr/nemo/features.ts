// The front end of NeMo's recognisers: log-mel bands, normalised over the clip (NVIDIA NeMo,
// AudioToMelSpectrogramPreprocessor with `normalize: per_feature`).
import { createTransform } from '../../audio/fourier.ts';
import { slaneyFilters } from '../../audio/mel-filters.ts';
import { sampleRate } from '../../audio/sample-rate.ts';

const transformSamples = 512;
const windowSamples = 400;
const hopSamples = 160;
const preEmphasis = 0.97;
/** Added before the logarithm. */
const floor = 2 ** -24;
/** Added to the deviation. */
const leastDeviation = 1e-5;

const bins = transformSamples / 2 + 1;
const windowStart = (transformSamples - windowSamples) / 2;
/** Hann, symmetric. */
const hann = Float64Array.from({ length: windowSamples }, (_, n) => {
  return 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / (windowSamples - 1));
});

export interface NemoFeatures {
  /** [mels, frames]; the last frame, which is only half inside of the clip, is zero. */
  readonly data: Float32Array;
  readonly frames: number;
  /** Frames of 10 ms that count. */
  readonly valid: number;
}

/** @param samples 16 kHz mono in -1..1, at least 20 ms */
export function nemoFeatures(samples: Float32Array, mels: number): NemoFeatures {
  const valid = Math.floor(samples.length / hopSamples);
  const frames = valid + 1;
  const data = new Float32Array(mels * frames);
  const filters = filtersOf(mels);
  const powers = spectra(samples);
  for (let frame = 0; frame < valid; frame += 1) {
    const power = powers(frame);
    filters.forEach(({ first, weights }, mel) => {
      let sum = 0;
      for (let i = 0; i < weights.length; i += 1) sum += weights[i]! * power[first + i]!;
      data[mel * frames + frame] = Math.log(sum + floor);
    });
  }
  for (let mel = 0; mel < mels; mel += 1) {
    normalise(data.subarray(mel * frames, mel * frames + valid));
  }
  return { data, frames, valid };
}

interface Band {
  /** The first bin with a weight. */
  readonly first: number;
  readonly weights: Float32Array;
}

function filtersOf(mels: number): readonly Band[] {
  const all = slaneyFilters({ length: transformSamples, mels, rate: sampleRate });
  return Array.from({ length: mels }, (_, mel) => {
    const column = Float32Array.from({ length: bins }, (_bin, bin) => all[bin * mels + mel]!);
    const first = column.findIndex((weight) => weight > 0);
    const end = column.findLastIndex((weight) => weight > 0) + 1;
    return { first: Math.max(0, first), weights: column.slice(Math.max(0, first), end) };
  });
}

/** Power of each bin of a frame; the array is used again for the next. */
function spectra(samples: Float32Array): (frame: number) => Float64Array {
  const transform = createTransform(transformSamples);
  const real = new Float64Array(transformSamples);
  const imaginary = new Float64Array(transformSamples);
  const power = new Float64Array(bins);
  const emphasised = (at: number): number => {
    if (at < 0 || at >= samples.length) return 0;
    return at === 0 ? samples[0]! : samples[at]! - preEmphasis * samples[at - 1]!;
  };
  return (frame) => {
    real.fill(0);
    imaginary.fill(0);
    // A frame is centred on its hop; beyond the clip are zeros.
    const start = frame * hopSamples - transformSamples / 2 + windowStart;
    for (let n = 0; n < windowSamples; n += 1) {
      real[windowStart + n] = emphasised(start + n) * hann[n]!;
    }
    transform(real, imaginary);
    for (let bin = 0; bin < bins; bin += 1) power[bin] = real[bin]! ** 2 + imaginary[bin]! ** 2;
    return power;
  };
}

/** To a mean of zero and a deviation of one, in place. */
function normalise(values: Float32Array): void {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const deviation = Math.sqrt(squares / (values.length - 1)) + leastDeviation;
  for (let i = 0; i < values.length; i += 1) values[i] = (values[i]! - mean) / deviation;
}
