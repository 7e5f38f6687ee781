// Word times from energy: a dynamic programme lays words of expected length over the loud frames.
import type { Word } from './transcript.ts';
import type { SpelledWord } from './vocab.ts';

const sampleRate = 16_000;
const hopSamples = 320;
const hopSeconds = hopSamples / sampleRate;
const maxWordFrames = 75;

/** Weights of the costs, tuned on joined prompts (test/eval/word-time-error.ts). */
const weights = { quietInWord: 1, loudInGap: 1.4, duration: 3, loudBoundary: 1 } as const;

/**
 * Gives each word a start and an end, in order and without overlap. The costs: quiet frames inside
 * a
 * word, loud frames outside words, a duration far from the one its spelling suggests (squared log
 * ratio), and a boundary in a loud frame.
 * @param samples the chunk, 16 kHz mono in -1..1
 */
export function alignWords(words: readonly SpelledWord[], samples: Float32Array): readonly Word[] {
  if (words.length === 0) return [];
  const loudness = frameLoudness(samples);
  const spans = layWords(
    words.map(({ word }) => spokenLength(word)),
    loudness,
  );
  const durationSeconds = samples.length / sampleRate;
  return words.map(({ word, confidence }, i) => ({
    word,
    start: Math.min(spans[i]!.start * hopSeconds, durationSeconds),
    end: Math.min(spans[i]!.end * hopSeconds, durationSeconds),
    confidence,
  }));
}

/** How long a word is when spoken, in letters: digits are read out, so they count for more. */
function spokenLength(word: string): number {
  const digits = word.match(/\d/g)?.length ?? 0;
  const letters = word.match(/\p{L}/gu)?.length ?? 0;
  return 1.5 + letters + 4 * digits;
}

/** 0 (background) to 1 (speech) for each hop of 20 ms, from the energy between its percentiles. */
export function frameLoudness(samples: Float32Array): Float32Array {
  const frames = Math.max(1, Math.ceil(samples.length / hopSamples));
  const decibels = new Float32Array(frames);
  for (let frame = 0; frame < frames; frame += 1) {
    const end = Math.min(samples.length, (frame + 1) * hopSamples);
    let sum = 0;
    for (let i = frame * hopSamples; i < end; i += 1) sum += samples[i]! * samples[i]!;
    decibels[frame] = 10 * Math.log10(sum / hopSamples + 1e-9);
  }
  const sorted = decibels.toSorted();
  const floor = sorted[Math.floor(frames * 0.05)]!;
  const peak = sorted[Math.floor(frames * 0.95)]!;
  const range = Math.max(peak - floor, 12);
  return decibels.map((db) => Math.min(1, Math.max(0, (db - floor) / range - 0.25) / 0.35));
}

interface FrameSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * Viterbi over (word, end frame); gaps cost their loudness, so a pause is free and speech is not.
 */
function layWords(lengths: readonly number[], loudness: Float32Array): readonly FrameSpan[] {
  const frames = loudness.length;
  const loud = prefixSums(loudness);
  const expected = expectedFrames(lengths, loud[frames]!);
  // gap[t]: least cost with all earlier words laid and frame t reached outside a word.
  let gap = loud.map((sum) => sum * weights.loudInGap);
  const starts: Int32Array[] = [];
  const gapEnds: Int32Array[] = [];
  for (const frameCount of expected) {
    const ended = new Float64Array(frames + 1).fill(Infinity);
    const start = new Int32Array(frames + 1);
    for (let t = 1; t <= frames; t += 1) {
      for (let d = 1; d <= Math.min(maxWordFrames, t); d += 1) {
        const ratio = Math.log(d / frameCount);
        const quiet = d - (loud[t]! - loud[t - d]!);
        const boundary = loudness[t - d]! * weights.loudBoundary;
        const cost =
          gap[t - d]! + quiet * weights.quietInWord + ratio * ratio * weights.duration + boundary;
        if (cost < ended[t]!) {
          ended[t] = cost;
          start[t] = t - d;
        }
      }
    }
    const next = new Float64Array(frames + 1).fill(Infinity);
    const gapEnd = new Int32Array(frames + 1);
    for (let t = 1; t <= frames; t += 1) {
      const stay = next[t - 1]! + loudness[t - 1]! * weights.loudInGap;
      next[t] = Math.min(stay, ended[t]!);
      gapEnd[t] = stay < ended[t]! ? gapEnd[t - 1]! : t;
    }
    starts.push(start);
    gapEnds.push(gapEnd);
    gap = next;
  }
  return Number.isFinite(gap[frames]!) ? trace(starts, gapEnds, frames) : spread(lengths, frames);
}

function trace(
  starts: readonly Int32Array[],
  gapEnds: readonly Int32Array[],
  frames: number,
): readonly FrameSpan[] {
  const spans: FrameSpan[] = [];
  let t = frames;
  for (let word = starts.length - 1; word >= 0; word -= 1) {
    const end = gapEnds[word]![t]!;
    const start = starts[word]![end]!;
    spans.unshift({ start, end });
    t = start;
  }
  return spans;
}

/** More words than frames: share the time out evenly. */
function spread(lengths: readonly number[], frames: number): readonly FrameSpan[] {
  const step = frames / lengths.length;
  return lengths.map((_, i) => ({ start: i * step, end: (i + 1) * step }));
}

function expectedFrames(lengths: readonly number[], loudFrames: number): readonly number[] {
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const framesPerLetter = Math.min(6, Math.max(2, loudFrames / total));
  return lengths.map((length) => Math.max(1, length * framesPerLetter));
}

function prefixSums(values: Float32Array): Float64Array {
  const sums = new Float64Array(values.length + 1);
  for (let i = 0; i < values.length; i += 1) sums[i + 1] = sums[i]! + values[i]!;
  return sums;
}
