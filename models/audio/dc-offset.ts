// Removes the offset of a microphone or sound card: a constant beside which quiet speech is lost
// to every model, since levels, spectra and energies count it.
import { sampleRate } from './sample-rate.ts';
import { fullScale } from './samples.ts';

/** A second of samples decides how far the estimate follows. */
const followSamples = sampleRate;
/** Of full scale, the least that is an offset beside any speech: means of speech are smaller. */
const least = 0.02 * fullScale;
/** The least that is one beside sounds of half its size. */
const leastOfQuiet = 0.005 * fullScale;
const quietRatio = 2;

/**
 * Takes PCM16 at 16 kHz in blocks, in order; it returns them, without the offset once one was
 * found. Recordings without one keep every sample. What changes does so within a block, evenly.
 */
export function createOffsetRemoval(): (pcm: Int16Array) => Int16Array {
  let offset: number | null = null;
  /** What the last sample has lost. */
  let removed = 0;
  let found = false;
  return (pcm) => {
    if (pcm.length === 0) return pcm;
    const { mean, deviation } = momentsOf(pcm);
    const isFirst = offset === null;
    // The first block is all that is known; the end of a recording may be a part of a vowel.
    offset = isFirst ? mean : offset! + Math.min(1, pcm.length / followSamples) * (mean - offset!);
    found ||= isOffset(offset, deviation);
    if (!found) return pcm;
    const level = subtract(pcm, isFirst ? offset : removed, offset);
    removed = offset;
    return level;
  };
}

function isOffset(offset: number, deviation: number): boolean {
  const size = Math.abs(offset);
  return size > least || (size > leastOfQuiet && size > quietRatio * deviation);
}

function momentsOf(pcm: Int16Array): { readonly mean: number; readonly deviation: number } {
  let sum = 0;
  let squares = 0;
  for (const sample of pcm) {
    sum += sample;
    squares += sample * sample;
  }
  const mean = sum / pcm.length;
  return { mean, deviation: Math.sqrt(Math.max(0, squares / pcm.length - mean * mean)) };
}

function subtract(pcm: Int16Array, from: number, to: number): Int16Array {
  const step = (to - from) / pcm.length;
  return pcm.map((sample, i) => {
    const level = Math.round(sample - from - step * i);
    return Math.max(-fullScale, Math.min(fullScale - 1, level));
  });
}
