// Transcribes chunks: a greedy attempt in batches, then further attempts at rising temperatures for
// chunks whose text is rejected (Radford et al. 2022, section 4.5).
import type { LanguageProbabilities } from '../transcript.ts';
import { endsEarly, isDoubtful, isReadable, isSilence } from './acceptance.ts';
import {
  attempt,
  type AttendedTokens,
  type Attempt,
  type EncodedChunk,
  type WhisperModel,
} from './attempt.ts';
import { batchesOf, rowsOf } from './batches.ts';
import { compareReadings } from './compare-readings.ts';
import { rowsOfChunk, type WhisperBatch } from './decoder.ts';
import { freeEncoding, type WhisperEncoding } from './encoder.ts';
import type { LanguageChoice } from './language-detection.ts';
import { paddedWindow, type PaddedWindow } from './padded-window.ts';
import { withTerms } from './with-terms.ts';
import { never, seededRandom } from './sampling.ts';

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
  readonly encode: (samples: Float32Array, window: PaddedWindow) => Promise<WhisperEncoding>;
  readonly durationSeconds: (samples: Float32Array) => number;
  readonly windowOf: (chunk: ChunkToTranscribe) => PaddedWindow;
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

/** When the likeliest tokens are rejected: those of another window, then Whisper's temperatures. */
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
    const chunk = chunks[i]!;
    transcribed.push(
      outcome
        ? await toItsEnd(model, chunk, outcome)
        : await tryAgain(model, settled(chunk, tried), tried),
    );
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
  const contexts = chunks.map((chunk) => model.windowOf(chunk).positions.length);
  for (const batch of batchesOf(contexts, model.decoder.contextBytes)) {
    const own = batch.map((index) => chunks[index]!);
    const attempts = await attemptTogether(model, own);
    for (const [i, index] of batch.entries()) {
      const { kept, ...tried } = attempts[i]!;
      const outcome = outcomeOf(tried);
      first[index] = {
        outcome: outcome && (await preferOwn(model, { outcome, kept }, own[i]!)),
        tried,
      };
      if (kept) freeEncoding(kept);
    }
  }
  return first;
}

interface EncodedAttempt extends Attempt {
  /** The encoding of a chunk with terms, which are looked for in the text that is written. */
  readonly kept: WhisperEncoding | null;
}

async function attemptTogether(
  { encode, durationSeconds, windowOf, ...model }: TranscriptionModel,
  chunks: readonly ChunkToTranscribe[],
): Promise<readonly EncodedAttempt[]> {
  const { attention } = model;
  const windows = chunks.map((chunk) => windowOf(chunk));
  const longest = Math.max(...windows.map(({ positions }) => positions.length));
  const unread = model.decoder.batch(chunks.length, longest);
  const encoded: EncodedChunk[] = [];
  const kept: (WhisperEncoding | null)[] = [];
  const compared: (Attempt | null)[] = [];
  for (const [i, chunk] of chunks.entries()) {
    const { samples, language, compare, terms = [] } = chunk;
    const encoding = await encode(samples, windows[i]!);
    const heard = { durationSeconds: durationSeconds(samples), language };
    const isKept = terms.length > 0;
    kept.push(isKept ? encoding : null);
    const own =
      compare && typeof language !== 'string'
        ? await compareReadings(model, { ...heard, encoding, language }, { attention })
        : null;
    compared.push(own);
    if (own === null) {
      unread.add(encoding, isKept);
      encoded.push(heard);
    } else if (!isKept) freeEncoding(encoding);
  }
  const options = { chunks: encoded, temperature: 0, random: never, attention };
  const attempts = encoded.length === 0 ? [] : await attempt(model, unread, options);
  unread.close();
  const read = [...attempts];
  return chunks.map((_, i) => ({ ...(compared[i] ?? read.shift()!), kept: kept[i]! }));
}

interface Accepted {
  readonly outcome: TranscribedChunk;
  /** null without terms. */
  readonly kept: WhisperEncoding | null;
}

async function preferOwn(
  model: TranscriptionModel,
  { outcome, kept }: Accepted,
  { terms = [] }: ChunkToTranscribe,
): Promise<TranscribedChunk> {
  const { language, written } = outcome;
  if (!kept || !written || language === null) return outcome;
  const rows = rowsOf(kept.context, model.decoder.contextBytes);
  const options = { terms, attention: model.attention, maxRows: rows };
  const transcribed = { encoding: kept, language, written };
  return { ...outcome, written: await withTerms(model, transcribed, options) };
}

/** The accepted result of an attempt; null when another attempt should be made. */
function outcomeOf({ written, ...detected }: Attempt): TranscribedChunk | null {
  if (!written || isSilence(written)) return { ...detected, written: null };
  return isDoubtful(written, detected.language!) ? null : { ...detected, written };
}

/** The outcome, or a likelier one where its text may have ended before what is said. */
async function toItsEnd(
  model: TranscriptionModel,
  chunk: ChunkToTranscribe,
  outcome: TranscribedChunk,
): Promise<TranscribedChunk> {
  const { samples } = chunk;
  const { written, language } = outcome;
  const isThinned = model.windowOf(chunk).counts.some((count) => count > 1);
  if (!isThinned || !written || language === null) return outcome;
  const durationSeconds = model.durationSeconds(samples);
  if (!endsEarly(written, durationSeconds)) return outcome;
  return withEncoding(model, chunk, async ({ encoding, batch }) => {
    const options = { temperature: 0, random: never, attention: model.attention };
    const chunks = [{ durationSeconds, language }];
    const [found] = await attempt(model, batch, { chunks, ...options });
    const again = outcomeOf(found!)?.written;
    if (!again || again.meanLogProbability <= written.meanLogProbability) return outcome;
    return preferOwn(model, { outcome: { ...outcome, written: again }, kept: encoding }, chunk);
  });
}

async function tryAgain(
  model: TranscriptionModel,
  chunk: ChunkToTranscribe,
  first: Attempt,
): Promise<TranscribedChunk> {
  const window = paddedWindow(chunk.samples.length, 'again');
  // In the window of the first attempt its likeliest tokens are the rejected ones.
  const isSame = window.positions.length === model.windowOf(chunk).positions.length;
  const tried = isSame ? temperatures.slice(1) : temperatures;
  return withEncoding(model, chunk, (encoded) => {
    return atTemperatures(model, chunk, { ...encoded, first, temperatures: tried });
  });
}

/** Encodes what is doubted again, for as long as it is read. */
async function withEncoding<T>(
  { encode, decoder }: TranscriptionModel,
  { samples }: ChunkToTranscribe,
  read: (encoded: Pick<SecondTry, 'encoding' | 'batch'>) => Promise<T>,
): Promise<T> {
  const encoding = await encode(samples, paddedWindow(samples.length, 'again'));
  const batch = rowsOfChunk(decoder, encoding, 1);
  return read({ encoding, batch }).finally(() => {
    batch.close();
    freeEncoding(encoding);
  });
}

interface SecondTry {
  readonly first: Attempt;
  readonly temperatures: readonly number[];
  readonly encoding: WhisperEncoding;
  readonly batch: WhisperBatch;
}

async function atTemperatures(
  model: TranscriptionModel,
  chunk: ChunkToTranscribe,
  { first, temperatures: tried, encoding, batch }: SecondTry,
): Promise<TranscribedChunk> {
  const { durationSeconds, attention } = model;
  const { samples, language } = chunk;
  const random = seededRandom(seed);
  const chunks = [{ durationSeconds: durationSeconds(samples), language }];
  let best = first;
  for (const temperature of tried) {
    const [found] = await attempt(model, batch, { chunks, temperature, random, attention });
    const outcome = outcomeOf(chunk.compare ? { ...found!, languages: first.languages } : found!);
    if (outcome) return preferOwn(model, { outcome, kept: encoding }, chunk);
    if (rank(found!) > rank(best)) best = found!;
  }
  return rank(best) >= minMeanLogProbability ? best : { ...best, written: null };
}

/** A text that is not readable ranks last. */
function rank({ written, language }: Attempt): number {
  return written && isReadable(written, language!) ? written.meanLogProbability : -Infinity;
}
