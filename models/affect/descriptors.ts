// Low-level descriptors of speech per frame: pitch, voicing, level, spectrum. They are those of
// eGeMAPS (Eyben et al. 2016) that survive a telephone line; training/speech_features.py computes
// the same.
import {
  analysisRate,
  bins,
  frameSpectra,
  longestLag,
  shortestLag,
  transformSize,
  type FrameSpectra,
} from './frame-spectra.ts';

export const melBands = 20;
export const cepstra = 8;

/** Each has a value per frame, but for `mel` [frames, melBands] and `cepstra` [frames, cepstra]. */
export interface Descriptors {
  readonly frames: number;
  /** log2 Hz */
  readonly pitch: Float64Array;
  /** Of the strongest period, 0-1. */
  readonly strength: Float64Array;
  /** dB */
  readonly level: Float64Array;
  /** dB: power above 1 kHz to that below it. */
  readonly alpha: Float64Array;
  /** dB: strongest partial below 2 kHz to that above it. */
  readonly hammarberg: Float64Array;
  /** dB per kHz of three bands. */
  readonly slope1: Float64Array;
  readonly slope2: Float64Array;
  readonly slope3: Float64Array;
  /** dB: first harmonic to the second, and to the third formant. */
  readonly h1h2: Float64Array;
  readonly h1a3: Float64Array;
  /** Root mean square change of the log-mel bands since the frame before. */
  readonly flux: Float64Array;
  readonly mel: Float64Array;
  readonly cepstra: Float64Array;
}

/** A longer period has to be stronger by this much per octave to be chosen. */
const octavePenalty = 0.02;
const hertzPerBin = analysisRate / transformSize;

const triangles = melTriangles();
const cosines = Float64Array.from(
  { length: cepstra * melBands },
  (_, i) =>
    Math.sqrt(2 / melBands) *
    Math.cos((Math.PI * (Math.floor(i / melBands) + 1) * ((i % melBands) + 0.5)) / melBands),
);
const slopes = [slopeWeights(100, 500), slopeWeights(500, 1_500), slopeWeights(1_500, 3_600)];

/** @param samples 16 kHz mono */
export function describe(samples: Float32Array): Descriptors {
  const spectra = frameSpectra(samples);
  const { frames } = spectra;
  const perFrame = (): Float64Array => new Float64Array(frames);
  const described = {
    frames,
    pitch: perFrame(),
    strength: perFrame(),
    level: spectra.energy.map(decibels),
    alpha: perFrame(),
    hammarberg: perFrame(),
    slope1: perFrame(),
    slope2: perFrame(),
    slope3: perFrame(),
    h1h2: perFrame(),
    h1a3: perFrame(),
    flux: perFrame(),
    mel: new Float64Array(frames * melBands),
    cepstra: new Float64Array(frames * cepstra),
  };
  for (let frame = 0; frame < frames; frame += 1) {
    const power = spectra.power.subarray(frame * bins, (frame + 1) * bins);
    const levels = power.map(decibels);
    const hertz = findPitch(described, spectra, frame);
    describeSpectrum(described, frame, power, levels);
    describeHarmonics(described, frame, hertz / hertzPerBin, power, levels);
    describeBands(described, frame, power);
  }
  return described;
}

/**
 * @returns F0 in Hz: the strongest peak of the autocorrelation, with a preference for short periods
 */
function findPitch(to: Descriptors, { correlation }: FrameSpectra, frame: number): number {
  const lags = longestLag + 2;
  const at = (lag: number): number => correlation[frame * lags + lag]!;
  let best = shortestLag;
  let bestScore = -1;
  for (let lag = shortestLag; lag <= longestLag; lag += 1) {
    if (at(lag) < at(lag - 1) || at(lag) <= at(lag + 1)) continue;
    const score = at(lag) - octavePenalty * Math.log2(lag / shortestLag);
    if (score > bestScore) [best, bestScore] = [lag, score];
  }
  const found = bestScore > -1;
  const curve = at(best - 1) - 2 * at(best) + at(best + 1) - 1e-12;
  const shift = found ? (0.5 * (at(best - 1) - at(best + 1))) / curve : 0;
  const hertz = analysisRate / (best + Math.min(0.5, Math.max(-0.5, shift)));
  to.pitch[frame] = Math.log2(hertz);
  to.strength[frame] = found ? Math.min(0.999, Math.max(0, at(best))) : 0;
  return hertz;
}

function describeSpectrum(
  to: Descriptors,
  frame: number,
  power: Float64Array,
  levels: Float64Array,
): void {
  to.alpha[frame] = decibels(sumOf(power, 1_000, 3_800) / sumOf(power, 100, 1_000));
  to.hammarberg[frame] = decibels(maxOf(power, 100, 2_000) / maxOf(power, 2_000, 3_800));
  const bySlope = slopes.map(({ first, weights }) => {
    return weights.reduce((sum, weight, i) => sum + weight * levels[first + i]!, 0);
  });
  [to.slope1[frame], to.slope2[frame], to.slope3[frame]] = bySlope as [number, number, number];
}

function describeHarmonics(
  to: Descriptors,
  frame: number,
  harmonic: number,
  power: Float64Array,
  levels: Float64Array,
): void {
  const levelAt = (multiple: number): number => {
    const near = Math.min(bins - 2, Math.max(1, roundHalfEven(harmonic * multiple)));
    return Math.max(levels[near - 1]!, levels[near]!, levels[near + 1]!);
  };
  const first = levelAt(1);
  to.h1h2[frame] = first - levelAt(2);
  to.h1a3[frame] = first - decibels(maxOf(power, 2_000, 3_500));
}

function describeBands(to: Descriptors, frame: number, power: Float64Array): void {
  const mel = to.mel.subarray(frame * melBands, (frame + 1) * melBands);
  triangles.forEach(({ first, weights }, band) => {
    let sum = 0;
    for (let i = 0; i < weights.length; i += 1) sum += weights[i]! * power[first + i]!;
    mel[band] = Math.log(sum);
  });
  for (let i = 0; i < cepstra; i += 1) {
    let sum = 0;
    for (let band = 0; band < melBands; band += 1) {
      sum += cosines[i * melBands + band]! * mel[band]!;
    }
    to.cepstra[frame * cepstra + i] = sum;
  }
  if (frame === 0) return;
  const before = to.mel.subarray((frame - 1) * melBands, frame * melBands);
  const squares = mel.reduce((sum, value, band) => sum + (value - before[band]!) ** 2, 0);
  to.flux[frame] = Math.sqrt(squares / melBands);
}

function decibels(power: number): number {
  return 10 * Math.log10(power);
}

function sumOf(power: Float64Array, lowHertz: number, highHertz: number): number {
  const [from, to] = [Math.ceil(lowHertz / hertzPerBin), Math.ceil(highHertz / hertzPerBin)];
  let sum = 0;
  for (let k = from; k < to; k += 1) sum += power[k]!;
  return sum;
}

function maxOf(power: Float64Array, lowHertz: number, highHertz: number): number {
  const [from, to] = [Math.ceil(lowHertz / hertzPerBin), Math.ceil(highHertz / hertzPerBin)];
  let max = 0;
  for (let k = from; k < to; k += 1) max = Math.max(max, power[k]!);
  return max;
}

/** Rounds half to even, as the Python implementation does. */
function roundHalfEven(value: number): number {
  const rounded = Math.round(value);
  return Math.abs(value - Math.trunc(value)) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
}

interface BinWeights {
  readonly first: number;
  readonly weights: Float64Array;
}

/** Weights of the regression line through a band of the spectrum, dB per kHz. */
function slopeWeights(lowHertz: number, highHertz: number): BinWeights {
  const first = Math.ceil(lowHertz / hertzPerBin);
  const count = Math.floor(highHertz / hertzPerBin) - first + 1;
  const kilohertz = Float64Array.from(
    { length: count },
    (_, i) => ((first + i) * hertzPerBin) / 1_000,
  );
  const mean = kilohertz.reduce((a, b) => a + b, 0) / count;
  const squares = kilohertz.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { first, weights: kilohertz.map((value) => (value - mean) / squares) };
}

/** Between 100 and 3,800 Hz on Kaldi's mel scale. */
function melTriangles(): readonly BinWeights[] {
  const toMel = (hertz: number): number => 1127 * Math.log(1 + hertz / 700);
  const [low, high] = [toMel(100), toMel(3_800)];
  const step = (high - low) / (melBands + 1);
  return Array.from({ length: melBands }, (_, band) => {
    const weightOf = (bin: number): number => {
      const mel = toMel(bin * hertzPerBin);
      const rising = (mel - (low + band * step)) / step;
      const falling = (low + (band + 2) * step - mel) / step;
      return Math.max(0, Math.min(rising, falling));
    };
    const used = [...Array(bins).keys()].filter((bin) => weightOf(bin) > 0);
    return { first: used[0]!, weights: Float64Array.from(used, weightOf) };
  });
}
