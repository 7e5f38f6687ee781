// Words on the time line by how Whisper listened as it wrote them (Radford et al. 2022, the
// module `timing` of openai/whisper), and by where the sound pauses.
import { toDb } from '../audio/loudness.ts';
import { sampleRate } from '../audio/sample-rate.ts';
import type { AttendedWords } from '../asr/whisper/attended-words.ts';
import type { Attention } from '../asr/whisper/decoder.ts';
import type { Word } from '../asr/transcript.ts';
import type { WhisperManifest } from '../bundles/manifest.ts';
import { wordConfidence } from './word-aligner.ts';
import { alignStates, type AlignmentState, type FrameScores } from './viterbi.ts';

/** A frame of Whisper's encoder. */
const frameSamples = 320;
/** Of the median filter over the attention, in frames. */
const medianFrames = 7;
const silence = 0;

/** How much the loudness of a frame counts beside the attention of eight heads, in nats. */
const loudnessWeight = 3;
/** Speech begins this share of the way from the noise of a chunk to its loudest parts ... */
const onsetShare = 0.35;
/** ... at least this much above the noise, in dB, and at most this much below the loudest. */
const leastAboveNoiseDb = 4;
const mostBelowSpeechDb = 38;
/** Over so many dB it goes from probably silent to probably spoken. */
const slopeDb = 3;

/**
 * Gives written words the frames in which the model listened as it wrote them: the likeliest path
 * through the words in order, with pauses between them where the sound is low.
 * @param samples 16 kHz mono in -1..1
 */
export function timeAttendedWords(
  { words, attention }: AttendedWords,
  samples: Float32Array,
  confidence: WhisperManifest['confidence'],
): readonly Word[] {
  const frames = Math.ceil(samples.length / frameSamples);
  const scores = frameScores(sharedAttention(attention, frames), samples);
  const states: AlignmentState[] = [{ phone: silence, skippable: true }];
  const firstStates: number[] = [];
  let token = 0;
  for (const { tokens } of words) {
    firstStates.push(states.length);
    for (let i = 0; i < tokens; i += 1) states.push({ phone: ++token, skippable: false });
    states.push({ phone: silence, skippable: true });
  }
  const spans = alignStates(states, scores);
  const seconds = (frame: number): number =>
    Math.min(samples.length, frame * frameSamples) / sampleRate;
  const share = frames / words.length;
  return words.map(({ word, tokens, ...scored }, i) => {
    const first = firstStates[i]!;
    const start = spans ? spans[first]!.start : i * share;
    const end = spans ? spans[first + tokens - 1]!.end : (i + 1) * share;
    return {
      ...{ word, start: seconds(start), end: seconds(end) },
      confidence: wordConfidence(scored, 0, { ...confidence, fit: 0 }),
    };
  });
}

/**
 * How much each token's choice listened to each frame, beside the other tokens': of each head the
 * weights as standard scores over the tokens, then their mean, smoothed over the frames.
 * @param attention of each token
 * @returns [tokens][frames]
 */
function sharedAttention(attention: readonly Attention[], frames: number): readonly Float32Array[] {
  const heads = attention[0]!.length;
  const mean = attention.map(() => new Float32Array(frames));
  for (let head = 0; head < heads; head += 1) {
    const rows = attention.map((own) => withSumOfOne(own[head]!.slice(0, frames)));
    standardise(rows, frames);
    rows.forEach((row, token) => {
      const own = mean[token]!;
      for (let frame = 0; frame < frames; frame += 1) own[frame]! += row[frame]! / heads;
    });
  }
  return mean.map(medianFiltered);
}

/** What is listened to behind the end of the chunk does not count. */
function withSumOfOne(row: Float32Array): Float32Array {
  const sum = row.reduce((total, weight) => total + weight, 1e-9);
  return row.map((weight) => weight / sum);
}

/** In each frame: less the mean over the tokens, by their standard deviation. */
function standardise(rows: readonly Float32Array[], frames: number): void {
  for (let frame = 0; frame < frames; frame += 1) {
    let sum = 0;
    let squares = 0;
    for (const row of rows) {
      sum += row[frame]!;
      squares += row[frame]! ** 2;
    }
    const mean = sum / rows.length;
    const deviation = Math.sqrt(Math.max(0, squares / rows.length - mean ** 2)) || 1;
    for (const row of rows) row[frame] = (row[frame]! - mean) / deviation;
  }
}

function medianFiltered(row: Float32Array): Float32Array {
  const half = medianFrames >> 1;
  const window = new Float32Array(medianFrames);
  return row.map((_, frame) => {
    for (let i = 0; i < medianFrames; i += 1) {
      window[i] = row[Math.min(row.length - 1, Math.abs(frame + i - half))]!;
    }
    return window.sort()[half]!;
  });
}

/** Column 0 is a pause, column i the i-th token. */
function frameScores(attention: readonly Float32Array[], samples: Float32Array): FrameScores {
  const spoken = speechByFrame(samples);
  const frames = spoken.length;
  // The last one chose the end of the text.
  const phones = attention.length;
  const data = new Float32Array(frames * phones);
  for (let frame = 0; frame < frames; frame += 1) {
    const probability = Math.min(0.98, Math.max(0.02, spoken[frame]!));
    const speech = loudnessWeight * Math.log(probability);
    data[frame * phones] = loudnessWeight * Math.log(1 - probability);
    for (let token = 1; token < phones; token += 1) {
      data[frame * phones + token] = attention[token - 1]![frame]! + speech;
    }
  }
  return { data, frames, phones };
}

/** How probable speech is in each frame of a chunk, by its loudness among the others. */
function speechByFrame(samples: Float32Array): Float32Array {
  const halves = Array.from({ length: Math.ceil(samples.length / (frameSamples / 2)) }, (_, i) => {
    const part = samples.subarray((i * frameSamples) / 2, ((i + 1) * frameSamples) / 2);
    return toDb(part.reduce((sum, sample) => sum + sample ** 2, 0) / part.length);
  });
  const sorted = halves.toSorted((a, b) => a - b);
  const noise = sorted[Math.floor(0.1 * (sorted.length - 1))]!;
  const loud = sorted[Math.floor(0.95 * (sorted.length - 1))]!;
  const onset = Math.max(
    noise + leastAboveNoiseDb,
    noise + onsetShare * (loud - noise),
    loud - mostBelowSpeechDb,
  );
  return Float32Array.from({ length: Math.ceil(halves.length / 2) }, (_, frame) => {
    const db = Math.max(halves[2 * frame]!, halves[2 * frame + 1] ?? -Infinity);
    return 1 / (1 + Math.exp((onset - db) / slopeDb));
  });
}
