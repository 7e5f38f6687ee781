// Voice activity hears the speech of a recording at one level, so that a copy with another gain has
// its speech in the same places (docs/adr/0065).
import { fullScale } from '../audio/samples.ts';
import { hopSamples, hopSeconds } from './hops.ts';

/** What was heard, as root mean squares of a full scale of 1. */
export interface HeardLevel {
  /** Of the loudest sound that lasted 96 ms; it fades. */
  readonly loudest: number;
  /** Of the last two hops. */
  readonly last: readonly [number, number];
}

export const nothingHeard: HeardLevel = { loudest: 0, last: [0, 0] };

/** -14 dBFS, as loud as the speech of most recordings. */
const target = 0.2;
/** 36 dB: a recording whose loudest sound is below -50 dBFS stays quieter than others. */
const maxGain = 64;
/** What was loud counts half as much after a minute. */
const keptPerHop = 0.5 ** (hopSeconds / 60);

/** @param pcm the samples that follow, from the start of a hop; a last one may be incomplete */
export function heardAfter(pcm: Int16Array, before: HeardLevel): HeardLevel {
  const { loudest, last } = heardIn(pcm, before, fullScale);
  return { loudest, last };
}

/**
 * A gain for all samples alike: one that changed with what was heard until then would raise the
 * noise before the first word, whose rounding to 16 bits differs with the level of the recording.
 * @param samples 16 kHz mono in -1..1, from the start of a hop
 * @param before what precedes them
 * @returns a copy, which may be beyond that
 */
export function atSteadyLevel(samples: Float32Array, before = nothingHeard): Float32Array {
  const { most } = heardIn(samples, before, 1);
  if (most === 0) return samples.slice();
  const gain = Math.min(maxGain, target / most);
  const levelled = new Float32Array(samples.length);
  for (let i = 0; i < samples.length; i += 1) levelled[i] = gain * samples[i]!;
  return levelled;
}

/**
 * A click or pop is shorter than three hops, and does not count.
 * @returns what was heard at the end, and the most that was heard: silence behind does not lower it
 */
function heardIn(
  samples: Int16Array | Float32Array,
  { loudest, last: [earlier, previous] }: HeardLevel,
  scale: number,
): HeardLevel & { readonly most: number } {
  let most = loudest;
  for (let start = 0; start < samples.length; start += hopSamples) {
    const amplitude = amplitudeOf(samples, start) / scale;
    loudest = Math.max(loudest * keptPerHop, Math.min(amplitude, previous, earlier));
    most = Math.max(most, loudest);
    [earlier, previous] = [previous, amplitude];
  }
  return { loudest, most, last: [earlier, previous] };
}

/** Root mean square of the hop that starts at a sample; those that are missing are zeros. */
function amplitudeOf(samples: Int16Array | Float32Array, start: number): number {
  const end = Math.min(samples.length, start + hopSamples);
  let squares = 0;
  for (let n = start; n < end; n += 1) squares += samples[n]! * samples[n]!;
  return Math.sqrt(squares / hopSamples);
}
