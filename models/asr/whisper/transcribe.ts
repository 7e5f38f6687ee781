// From chunks to tokens: attempts from the cheapest to the most expensive, then the checks.
import type { LanguageProbabilities } from '../transcript.ts';
import { isDoubtful, isSilence } from './acceptance.ts';
import { attempt, type AttendedTokens, type Attempt, type WhisperModel } from './attempt.ts';
import { clipFrames, fullFrames, type WhisperEncoding } from './encoder.ts';
import type { LanguageChoice } from './language-choice.ts';
import { seededRandom } from './sampling.ts';

export interface ChunkToTranscribe {
  /** 16 kHz mono in -1..1, at most 30 s. */
  readonly samples: Float32Array;
  readonly language: LanguageChoice;
}

export interface Listening extends WhisperModel {
  /** @param frames cut to the length of the chunk, or the 30 s that the model was trained on */
  readonly encode: (samples: Float32Array, frames: number) => Promise<WhisperEncoding>;
  readonly durationSeconds: (samples: Float32Array) => number;
  /** Whether words will have times. */
  readonly attention: boolean;
}

export interface TranscribedChunk {
  /** null if no language was selected; then nothing is transcribed. */
  readonly language: string | null;
  readonly languages: LanguageProbabilities;
  /** null without speech. */
  readonly written: AttendedTokens | null;
}

/**
 * More rows are hardly cheaper per row, because the step is then bound by their keys and values.
 */
const maxRows = 8;
/** Frames of all chunks of a batch: 147 MB of keys and values. */
const maxFrames = 12_000;
/**
 * The fallbacks when the likeliest tokens are rejected: the full window, then Whisper's
 * temperatures.
 */
const temperatures = [0, 0.2, 0.4, 0.6, 0.8, 1];
/** Below this log-probability no attempt is accepted. */
const leastMeanLogProbability = -1.6;
const seed = 20_261_121;

/** The words of a chunk do not depend on the other chunks. */
export async function transcribe(
  listening: Listening,
  chunks: readonly ChunkToTranscribe[],
): Promise<readonly TranscribedChunk[]> {
  const transcribed: TranscribedChunk[] = [];
  for (const batch of batchesOf(chunks.map(({ samples }) => clipFrames(samples.length)))) {
    const own = batch.map((index) => chunks[index]!);
    const first = await attemptTogether(listening, own);
    for (const [i, index] of batch.entries()) {
      transcribed[index] = outcomeOf(first[i]!) ?? (await tryAgain(listening, own[i]!, first[i]!));
    }
  }
  return transcribed;
}

/** Indices of chunks that form a batch, because their contexts have one length. */
export function batchesOf(frames: readonly number[]): readonly (readonly number[])[] {
  const alike = Map.groupBy(frames.keys(), (index) => frames[index]!);
  return [...alike].flatMap(([length, indices]) => {
    const rows = Math.max(1, Math.min(maxRows, Math.floor(maxFrames / length)));
    const batches = Math.ceil(indices.length / rows);
    return Array.from({ length: batches }, (_, i) => indices.slice(i * rows, (i + 1) * rows));
  });
}

async function attemptTogether(
  { encode, durationSeconds, ...model }: Listening,
  chunks: readonly ChunkToTranscribe[],
): Promise<readonly Attempt[]> {
  const heard = [];
  for (const { samples, language } of chunks) {
    const encoding = await encode(samples, clipFrames(samples.length));
    heard.push({ encoding, durationSeconds: durationSeconds(samples), language });
  }
  const { attention } = model;
  return attempt(model, heard, { temperature: 0, random: never, attention });
}

/** The accepted result of an attempt; null where another attempt is worth its time. */
function outcomeOf({ written, ...heard }: Attempt): TranscribedChunk | null {
  if (!written || isSilence(written)) return { ...heard, written: null };
  return isDoubtful(written) ? null : { ...heard, written };
}

async function tryAgain(
  { encode, durationSeconds, ...model }: Listening,
  { samples, language }: ChunkToTranscribe,
  first: Attempt,
): Promise<TranscribedChunk> {
  const { attention } = model;
  const random = seededRandom(seed);
  const encoding = await encode(samples, fullFrames);
  const heard = [{ encoding, durationSeconds: durationSeconds(samples), language }];
  let best = first;
  for (const temperature of temperatures) {
    const [found] = await attempt(model, heard, { temperature, random, attention });
    const outcome = outcomeOf(found!);
    if (outcome) return outcome;
    if (rank(found!) > rank(best)) best = found!;
  }
  return rank(best) >= leastMeanLogProbability ? best : { ...best, written: null };
}

/** A text that did not reach its end token is worthless. */
function rank({ written }: Attempt): number {
  return written?.ended ? written.meanLogProbability : -Infinity;
}

function never(): number {
  throw new Error('the likeliest tokens need no random numbers');
}
