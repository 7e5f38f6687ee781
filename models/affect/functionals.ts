// Functionals over the descriptors of a speech segment: the second input of the affect heads
// besides the encoder. They exclude durations, pauses and rates; training/speech_features.py
// computes the same.
import { sampleRate } from '../audio/sample-rate.ts';
import { cepstra, describe, melBands, type Descriptors } from './descriptors.ts';
import { analysisRate, hopSamples } from './frame-spectra.ts';
import { quantile } from './quantile.ts';

/** Samples of 16 kHz from one frame to the next. */
export const functionalHopSamples = hopSamples * (sampleRate / analysisRate);

/** Frames this far below the loudest level are pauses. */
const quietDb = 30;
/** Frames with a stronger period are voiced. */
const voicedStrength = 0.55;
/** A larger step of the pitch is an octave error, in octaves. */
const maxGlide = 0.25;

/** @param samples 16 kHz mono. @returns 130 values by name, in a fixed order */
export function speechFunctionals(samples: Float32Array): ReadonlyMap<string, number> {
  return functionalsOf(describe(samples));
}

function functionalsOf(frames: Descriptors): ReadonlyMap<string, number> {
  const { level, strength, pitch } = frames;
  const table = new Map<string, number>();
  const top = quantile(
    [...level].toSorted((a, b) => a - b),
    0.95,
  );
  const all = Array.from({ length: frames.frames }, (_, i) => i);
  const loud = all.filter((i) => level[i]! > top - quietDb);
  const isLoud = new Set(loud);
  const voiced = loud.filter((i) => strength[i]! > voicedStrength);
  const isVoiced = new Set(voiced);
  const spoken = voiced.length >= 5 ? voiced : loud;
  const pairs = loud.filter((i) => isLoud.has(i - 1));
  const pick = (values: Float64Array, at: readonly number[]): number[] => at.map((i) => values[i]!);

  addShape(table, 'pitch', pick(pitch, spoken));
  const glides = voiced
    .filter((i) => isVoiced.has(i - 1))
    .map((i) => pitch[i]! - pitch[i - 1]!)
    .filter((glide) => Math.abs(glide) < maxGlide);
  addMoves(table, 'glide', glides);
  const harmonicity = (s: number): number => 10 * Math.log10(s / (1 - s) + 1e-3);
  addShape(table, 'hnr', pick(strength, spoken).map(harmonicity));
  addShape(
    table,
    'level',
    loud.map((i) => level[i]! - top),
  );
  addMoves(
    table,
    'move',
    pairs.map((i) => level[i]! - level[i - 1]!),
  );
  table.set('voiced', voiced.length / Math.max(1, loud.length));
  for (const name of spectral) addShape(table, name, pick(frames[name], spoken));
  const unvoiced = loud.filter((i) => !isVoiced.has(i));
  addSpread(table, 'alpha.unvoiced', pick(frames.alpha, unvoiced.length > 3 ? unvoiced : loud));
  addShape(table, 'flux', pick(frames.flux, loud));
  addBands(table, frames, { loud, spoken, pairs });
  return table;
}

const spectral = [
  'alpha',
  'hammarberg',
  'slope1',
  'slope2',
  'slope3',
  'h1h2',
  'h1a3',
] as const satisfies readonly (keyof Descriptors)[];

type Table = Map<string, number>;

function addSpread(table: Table, name: string, given: readonly number[]): void {
  const values = enough(given);
  table.set(`${name}.mean`, meanOf(values));
  table.set(`${name}.deviation`, deviationOf(values));
}

function addShape(table: Table, name: string, given: readonly number[]): void {
  addSpread(table, name, given);
  const sorted = enough(given).toSorted((a, b) => a - b);
  for (const share of [10, 50, 90]) table.set(`${name}.p${share}`, quantile(sorted, share / 100));
}

/** Fewer than three values yield zeros, as they carry no information. */
function enough(values: readonly number[]): readonly number[] {
  return values.length >= 3 ? values : [0, 0, 0];
}

function addMoves(table: Table, name: string, moves: readonly number[]): void {
  addSpread(table, name, moves.map(Math.abs));
  const rises = moves.filter((move) => move > 0);
  const falls = moves.filter((move) => move < 0);
  table.set(`${name}.rise`, rises.length > 0 ? meanOf(rises) : 0);
  table.set(`${name}.fall`, falls.length > 0 ? meanOf(falls) : 0);
}

interface FrameSets {
  readonly loud: readonly number[];
  readonly spoken: readonly number[];
  /** Loud frames whose predecessor is loud. */
  readonly pairs: readonly number[];
}

function addBands(table: Table, frames: Descriptors, { loud, spoken, pairs }: FrameSets): void {
  const cepstrum = (frame: number, i: number): number => frames.cepstra[frame * cepstra + i]!;
  for (let i = 0; i < cepstra; i += 1) {
    addSpread(
      table,
      `cepstrum${i + 1}`,
      spoken.map((frame) => cepstrum(frame, i)),
    );
  }
  for (let i = 0; i < cepstra; i += 1) {
    const turns = pairs.map((frame) => cepstrum(frame, i) - cepstrum(frame - 1, i));
    table.set(`cepstrum${i + 1}.turn`, turns.length > 0 ? deviationOf(turns) : 0);
  }
  const band = (at: readonly number[], i: number): number[] =>
    at.map((frame) => frames.mel[frame * melBands + i]!);
  const numbers = Array.from({ length: melBands }, (_, i) => i);
  for (const i of numbers) table.set(`mel${i + 1}.deviation`, deviationOf(band(loud, i)));
  const means = numbers.map((i) => meanOf(band(spoken, i)));
  const mean = meanOf(means);
  for (const i of numbers) table.set(`mel${i + 1}.relative`, means[i]! - mean);
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function deviationOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}
