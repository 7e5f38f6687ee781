// Transcribes chunks: a greedy attempt in batches, then further attempts at rising temperatures for
// chunks whose text is rejected (Radford et al. 2022, section 4.5).
import type { LanguageProbabilities } from '../transcript.ts';
import { isDoubtful, isSilence } from './acceptance.ts';
import {
  attempt,
  type AttendedTokens,
  type Attempt,
  type EncodedChunk,
  type WhisperModel,
} from './attempt.ts';
import { compareReadings } from './compare-readings.ts';
import { fullFrames, type WhisperEncoding } from './encoder.ts';
import type { LanguageChoice } from './language-detection.ts';
import { withTerms } from './prefer-terms.ts';
import { seededRandom } from './sampling.ts';

export interface ChunkToTranscribe {
  /** 16 kHz mono in -1..1, at most 30 s. */
  readonly samples: Float32Array;
  readonly language: LanguageChoice;
  /** Words and phrases that are preferred where they sound alike; absent for none. */
  readonly terms?: readonly string[];
  /** Only the language is of interest. */
  readonly detectionOnly?: boolean;
  /** Reads short speech in several languages before one is selected. */
  readonly compare?: boolean;
}

export interface TranscriptionModel extends WhisperModel {
  /** @param frames cut to the length of the chunk, or the 30 s that the model was trained on */
  readonly encode: (samples: Float32Array, frames: number) => Promise<WhisperEncoding>;
  readonly durationSeconds: (samples: Float32Array) => number;
  /** The frames to which a chunk is cut or padded. */
  readonly framesOf: (chunk: ChunkToTranscribe) => number;
  /** Returns the attention too, from which word times are computed. */
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
/** No attempt with a lower mean log-probability is accepted. */
const minMeanLogProbability = -1.6;
const seed = 20_261_121;

/** The words of a chunk do not depend on the other chunks. */
export async function transcribe(
  model: TranscriptionModel,
  chunks: readonly ChunkToTranscribe[],
): Promise<readonly TranscribedChunk[]> {
  const transcribed: TranscribedChunk[] = [];
  for (const [i, { outcome, tried }] of (await tryOnce(model, chunks)).entries()) {
    transcribed.push(outcome ?? (await tryAgain(model, settled(chunks[i]!, tried), tried)));
  }
  return transcribed;
}

/** A chunk whose readings were compared keeps its language. */
function settled(chunk: ChunkToTranscribe, { language }: Attempt): ChunkToTranscribe {
  return chunk.compare && language !== null ? { ...chunk, language } : chunk;
}

interface FirstTry {
  /** null when the text is rejected. */
  readonly outcome: TranscribedChunk | null;
  readonly tried: Attempt;
}

/** One greedy attempt at each chunk, in batches. */
export async function tryOnce(
  model: TranscriptionModel,
  chunks: readonly ChunkToTranscribe[],
): Promise<readonly FirstTry[]> {
  const first: FirstTry[] = [];
  const lengths = chunks.map(model.framesOf);
  for (const batch of batchesOf(lengths)) {
    const own = batch.map((index) => chunks[index]!);
    const attempts = await attemptTogether(model, own);
    for (const [i, index] of batch.entries()) {
      const { encoding, ...tried } = attempts[i]!;
      const outcome = outcomeOf(tried);
      const frames = lengths[index]!;
      first[index] = {
        outcome: outcome && (await preferOwn(model, { outcome, encoding, frames }, own[i]!)),
        tried,
      };
    }
  }
  return first;
}

/** Indices of chunks that form a batch, because their contexts have one length. */
export function batchesOf(frames: readonly number[]): readonly (readonly number[])[] {
  const alike = Map.groupBy(frames.keys(), (index) => frames[index]!);
  return [...alike].flatMap(([length, indices]) => {
    const rows = rowsOf(length);
    const batches = Math.ceil(indices.length / rows);
    return Array.from({ length: batches }, (_, i) => indices.slice(i * rows, (i + 1) * rows));
  });
}

function rowsOf(frames: number): number {
  return Math.max(1, Math.min(maxRows, Math.floor(maxFrames / frames)));
}

interface EncodedAttempt extends Attempt {
  readonly encoding: WhisperEncoding;
}

async function attemptTogether(
  { encode, durationSeconds, framesOf, ...model }: TranscriptionModel,
  chunks: readonly ChunkToTranscribe[],
): Promise<readonly EncodedAttempt[]> {
  const encoded: EncodedChunk[] = [];
  const compared = new Map<number, LanguageProbabilities>();
  for (const [i, chunk] of chunks.entries()) {
    const { samples, language, compare } = chunk;
    const encoding = await encode(samples, framesOf(chunk));
    const heard = { encoding, durationSeconds: durationSeconds(samples) };
    if (compare && typeof language !== 'string') {
      const languages = await compareReadings(model, { ...heard, language });
      compared.set(i, languages);
      encoded.push({ ...heard, language: () => language(languages) });
    } else encoded.push({ ...heard, language });
  }
  const { attention } = model;
  const tried = await attempt(model, encoded, { temperature: 0, random: never, attention });
  return tried.map((own, i) => {
    const { encoding } = encoded[i]!;
    return { ...own, languages: compared.get(i) ?? own.languages, encoding };
  });
}

interface Accepted {
  readonly outcome: TranscribedChunk;
  readonly encoding: WhisperEncoding;
  /** Length of the encoding. */
  readonly frames: number;
}

async function preferOwn(
  model: TranscriptionModel,
  { outcome, encoding, frames }: Accepted,
  { terms = [] }: ChunkToTranscribe,
): Promise<TranscribedChunk> {
  const { language, written } = outcome;
  if (!written || language === null) return outcome;
  const options = { terms, attention: model.attention, maxRows: rowsOf(frames) };
  return { ...outcome, written: await withTerms(model, { encoding, language, written }, options) };
}

/** The accepted result of an attempt; null when another attempt should be made. */
function outcomeOf({ written, ...detected }: Attempt): TranscribedChunk | null {
  if (!written || isSilence(written)) return { ...detected, written: null };
  return isDoubtful(written) ? null : { ...detected, written };
}

async function tryAgain(
  transcription: TranscriptionModel,
  chunk: ChunkToTranscribe,
  first: Attempt,
): Promise<TranscribedChunk> {
  const { encode, durationSeconds, attention, ...model } = transcription;
  const { samples, language } = chunk;
  const random = seededRandom(seed);
  const encoding = await encode(samples, fullFrames);
  const encoded = [{ encoding, durationSeconds: durationSeconds(samples), language }];
  let best = first;
  for (const temperature of temperatures) {
    const [found] = await attempt(model, encoded, { temperature, random, attention });
    const outcome = outcomeOf(chunk.compare ? { ...found!, languages: first.languages } : found!);
    if (outcome) return preferOwn(transcription, { outcome, encoding, frames: fullFrames }, chunk);
    if (rank(found!) > rank(best)) best = found!;
  }
  return rank(best) >= minMeanLogProbability ? best : { ...best, written: null };
}

/** A text without its end token ranks last. */
function rank({ written }: Attempt): number {
  return written?.ended ? written.meanLogProbability : -Infinity;
}

function never(): number {
  throw new Error('greedy decoding needs no random numbers');
}
