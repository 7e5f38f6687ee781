// Word times from Whisper's cross-attention (the module `timing` of openai/whisper, Radford et al.
// 2022) and from the pauses in the audio.
import { silenceDb, toDb } from '../audio/loudness.ts';
import { highPass } from '../audio/high-pass.ts';
import { sampleRate } from '../audio/sample-rate.ts';
import type { AttendedWords } from '../asr/whisper/word-attention.ts';
import type { Attention } from '../asr/whisper/decoder.ts';
import type { Word } from '../asr/transcript.ts';
import type { WhisperManifest } from '../bundles/manifest.ts';
import { wordConfidence } from './word-aligner.ts';
import { graphOf, statesOfWords } from './word-graph.ts';
import { alignStates, type FrameScores } from './viterbi.ts';

/** A frame of Whisper's encoder. */
const frameSamples = 320;
/** Of the median filter over the attention, in frames. */
const medianFrames = 7;

/** Weight of a frame's loudness relative to the mean attention of the heads, in nats. */
const loudnessWeight = 3;
/** The onset of speech lies at this share between noise floor and loudest parts of a chunk ... */
const onsetShare = 0.35;
/** ... at least this far above the noise floor, and at most this far below the loudest parts. */
const minAboveNoiseDb = 4;
const maxBelowSpeechDb = 38;
/** Width of the transition from silence to speech. */
const slopeDb = 3;
/**
 * Where the band of a telephone begins. What lies below, as engines, wind and hum do, goes on
 * through pauses and is louder than the voice.
 */
const lowestHz = 300;

/**
 * Aligns words to the frames that the decoder attended to: the likeliest path through the words in
 * order, with pauses between them where the audio is quiet. Words that cannot be aligned are spread
 * evenly.
 * @param samples 16 kHz mono in -1..1
 */
export function timeAttendedWords(
  { words, attention }: AttendedWords,
  samples: Float32Array,
  confidence: WhisperManifest['confidence'],
): readonly Word[] {
  const frames = Math.ceil(samples.length / frameSamples);
  const scores = frameScores(sharedAttention(attention, frames), samples);
  let token = 0;
  const graph = graphOf(
    words.map(({ tokens }) => [[[[Array.from({ length: tokens }, () => ++token)]]]]),
  );
  const path = alignStates(graph.states, graph.ends, scores);
  const spans = path && statesOfWords(path, graph, words.length);
  const seconds = (frame: number): number =>
    Math.min(samples.length, frame * frameSamples) / sampleRate;
  const share = frames / words.length;
  return words.map((scored, i) => {
    const start = spans?.[i]!.at(0)?.start ?? i * share;
    const end = spans?.[i]!.at(-1)?.end ?? (i + 1) * share;
    return {
      ...{ word: scored.word, start: seconds(start), end: seconds(end) },
      confidence: wordConfidence(scored, 0, { ...confidence, fit: 0 }),
    };
  });
}

/**
 * Each token's attention to each frame relative to the other tokens: the weights of each head as
 * standard scores over the tokens, averaged over the heads and median-filtered over the frames.
 * @param attention of each token, by head
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

/** Normalises the attention within the chunk, because some of it falls on the padding. */
function withSumOfOne(row: Float32Array): Float32Array {
  const sum = row.reduce((total, weight) => total + weight, 1e-9);
  return row.map((weight) => weight / sum);
}

/** Converts each frame's weights to standard scores over the tokens, in place. */
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
  // The last token is the end token, whose column is replaced by the pause.
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

/** Probability of speech in each frame, from its loudness relative to the rest of the chunk. */
function speechByFrame(samples: Float32Array): Float32Array {
  const voiced = highPass(samples, lowestHz);
  const halves = Array.from({ length: Math.ceil(voiced.length / (frameSamples / 2)) }, (_, i) => {
    const part = voiced.subarray((i * frameSamples) / 2, ((i + 1) * frameSamples) / 2);
    return toDb(part.reduce((sum, sample) => sum + sample ** 2, 0) / part.length);
  });
  const sorted = withoutEdgeSilence(halves).toSorted((a, b) => a - b);
  const noise = sorted[Math.floor(0.1 * (sorted.length - 1))]!;
  const loud = sorted[Math.floor(0.95 * (sorted.length - 1))]!;
  const onset = Math.max(
    noise + minAboveNoiseDb,
    noise + onsetShare * (loud - noise),
    loud - maxBelowSpeechDb,
  );
  return Float32Array.from({ length: Math.ceil(halves.length / 2) }, (_, frame) => {
    const db = Math.max(halves[2 * frame]!, halves[2 * frame + 1] ?? -Infinity);
    return 1 / (1 + Math.exp((onset - db) / slopeDb));
  });
}

/**
 * Without the digital silence at both ends, which is put around a chunk: the noise floor is that of
 * the recording (docs/adr/0088-silence-around.md). @param loudness by step, in dB
 */
function withoutEdgeSilence(loudness: readonly number[]): readonly number[] {
  const first = loudness.findIndex((db) => db > silenceDb);
  const last = loudness.findLastIndex((db) => db > silenceDb);
  return first === -1 ? loudness : loudness.slice(first, last + 1);
}
