// Power spectra and autocorrelations of frames, below 4 kHz, for the affect descriptors.
import { createTransform } from '../audio/fourier.ts';
import { quantile } from './quantile.ts';

/** Frames of 40 ms every 16 ms, at 8 kHz. */
export const analysisRate = 8_000;
const frameSamples = 320;
export const hopSamples = 128;
export const transformSize = 512;
export const bins = transformSize / 2 + 1;
/** Range of the period in samples: 500 to 65 Hz. */
export const shortestLag = 16;
export const longestLag = 123;

const taps = 31;
const transform = createTransform(transformSize);
const window = Float64Array.from(
  { length: frameSamples },
  (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / frameSamples),
);
const lowPass = lowPassTaps();
const windowCorrelation = correlationOfWindow();

/**
 * White noise this far below the loud frames, as power, is added to all: what is quieter than it is
 * the rounding of 16 bits in a quiet recording, and functionals would change with the level.
 */
const noiseShare = 1e-6;
/** The frame whose energy counts as loud. */
const loudShare = 0.95;
/** For a recording of zeros. */
const leastPower = 1e-20;

/** All of it with the noise. */
export interface FrameSpectra {
  readonly frames: number;
  /** [frames, bins] */
  readonly power: Float64Array;
  /** Sum of squares of each windowed frame. */
  readonly energy: Float64Array;
  /** [frames, longestLag + 2], divided by the window's autocorrelation (Boersma 1993). */
  readonly correlation: Float64Array;
}

/** @param samples 16 kHz mono; less than a frame is padded with silence */
export function frameSpectra(samples: Float32Array): FrameSpectra {
  const halved = halfRate(samples);
  const frames = Math.max(1, 1 + Math.floor((halved.length - frameSamples) / hopSamples));
  const spectra = {
    frames,
    power: new Float64Array(frames * bins),
    energy: new Float64Array(frames),
    correlation: new Float64Array(frames * (longestLag + 2)),
  };
  const real = new Float64Array(transformSize);
  const imaginary = new Float64Array(transformSize);
  // Two real frames form one complex frame: their spectra are its even and its odd part.
  for (let frame = 0; frame < frames; frame += 2) {
    fillFrame(real, halved, frame * hopSamples);
    if (frame + 1 < frames) fillFrame(imaginary, halved, (frame + 1) * hopSamples);
    else imaginary.fill(0);
    transform(real, imaginary);
    powerOfPair(real, imaginary);
    storePower(spectra, frame, real);
    if (frame + 1 < frames) storePower(spectra, frame + 1, imaginary);
    // Power is real and even, so its transform is the autocorrelation, again of two frames at once.
    transform(real, imaginary);
    storeCorrelation(spectra, frame, real);
    if (frame + 1 < frames) storeCorrelation(spectra, frame + 1, imaginary);
  }
  addNoise(spectra);
  return spectra;
}

/** A bin of white noise has as much power as its frame has energy; it correlates with nothing. */
function addNoise({ power, energy, correlation }: FrameSpectra): void {
  const noise = noiseShare * quantile(energy.toSorted(), loudShare) + leastPower;
  const lags = longestLag + 2;
  for (let i = 0; i < power.length; i += 1) power[i]! += noise;
  for (let frame = 0; frame < energy.length; frame += 1) {
    const own = energy[frame]!;
    energy[frame] = own + noise;
    for (let lag = 0; lag < lags; lag += 1) correlation[frame * lags + lag]! /= own + noise;
  }
}

/** Low-pass at 3.7 kHz and every second sample; zeros are assumed beyond both ends. */
function halfRate(samples: Float32Array): Float64Array {
  const delay = (taps - 1) / 2;
  const halved = new Float64Array(Math.ceil(samples.length / 2));
  for (let i = 0; i < halved.length; i += 1) {
    const from = Math.max(0, 2 * i - delay);
    const to = Math.min(samples.length - 1, 2 * i + delay);
    let sum = 0;
    for (let n = from; n <= to; n += 1) sum += samples[n]! * lowPass[n - 2 * i + delay]!;
    halved[i] = sum;
  }
  return halved;
}

/** A frame minus its mean, windowed and zero-padded. */
function fillFrame(target: Float64Array, samples: Float64Array, start: number): void {
  let mean = 0;
  for (let n = 0; n < frameSamples; n += 1) mean += samples[start + n] ?? 0;
  mean /= frameSamples;
  target.fill(0, frameSamples);
  for (let n = 0; n < frameSamples; n += 1) {
    target[n] = ((samples[start + n] ?? 0) - mean) * window[n]!;
  }
}

/** In place: the power spectra of the two frames in the real and the imaginary part. */
function powerOfPair(real: Float64Array, imaginary: Float64Array): void {
  for (let k = 0; k <= transformSize / 2; k += 1) {
    const mirror = (transformSize - k) % transformSize;
    const [a, b, c, d] = [real[k]!, real[mirror]!, imaginary[k]!, imaginary[mirror]!];
    const first = ((a + b) ** 2 + (c - d) ** 2) / 4;
    const second = ((c + d) ** 2 + (b - a) ** 2) / 4;
    real[k] = real[mirror] = first;
    imaginary[k] = imaginary[mirror] = second;
  }
}

function storePower({ power }: FrameSpectra, frame: number, values: Float64Array): void {
  power.set(values.subarray(0, bins), frame * bins);
}

function storeCorrelation(
  { correlation, energy }: FrameSpectra,
  frame: number,
  values: Float64Array,
): void {
  const lags = longestLag + 2;
  energy[frame] = values[0]! / transformSize;
  for (let lag = 0; lag < lags; lag += 1) {
    correlation[frame * lags + lag] = values[lag]! / transformSize / windowCorrelation[lag]!;
  }
}

/** Windowed sinc with a cut-off of 0.46 of the lower rate and unit gain. */
function lowPassTaps(): Float64Array {
  const shaped = Float64Array.from({ length: taps }, (_, i) => {
    const at = 0.46 * Math.PI * (i - (taps - 1) / 2);
    const sinc = at === 0 ? 1 : Math.sin(at) / at;
    return sinc * (0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 1)) / (taps + 1)));
  });
  const sum = shaped.reduce((a, b) => a + b, 0);
  return shaped.map((tap) => tap / sum);
}

function correlationOfWindow(): Float64Array {
  const at = (lag: number): number => {
    let sum = 0;
    for (let n = 0; n + lag < frameSamples; n += 1) sum += window[n]! * window[n + lag]!;
    return sum;
  };
  return Float64Array.from({ length: longestLag + 2 }, (_, lag) => at(lag) / at(0));
}
