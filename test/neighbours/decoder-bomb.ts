// Less than a megabyte that decodes to eleven thousand million samples.
import { flacFile, type FlacFrame } from '../support/flac.ts';

const rate = 384_000;
const channels = 8;
const seconds = 3_590;
/** The most that a frame may hold. */
const frameSamples = 65_535;

/** A FLAC of constant frames: an hour at the highest rate in the most channels. */
export function decoderBomb(): Buffer {
  const samples = rate * seconds;
  const frame: FlacFrame = { rate, channels, pcm: { constant: 1, samples: frameSamples } };
  const frames = Array.from({ length: Math.floor(samples / frameSamples) }, () => frame);
  return flacFile({ rate, channels, samples: frames.length * frameSamples }, frames);
}
