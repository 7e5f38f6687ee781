// Scores of what the speech check is unsure of stay where somebody says something, as in tasks with
// words: of other sounds that pass the check most lie barely above its bound.
import {
  minSpeechLogit,
  wordEdgeSeconds,
  wordsNeeded,
  type SpeechEvidence,
} from '../affect/no-speech.ts';
import { speechEvidence } from '../affect/reader.ts';
import { freeLayers } from '../asr/moonshine-encoder.ts';
import { areUnsure } from '../asr/second-opinion.ts';
import type { Word, WrittenText } from '../asr/transcript.ts';
import { withoutUnheardMurmurs } from '../asr/unheard-murmurs.ts';
import { sampleRate } from '../audio/sample-rate.ts';
import type { TimeSpan } from '../audio/samples.ts';
import { otherLanguagesOf, type ChunkToRecognise } from './assigned-recognizers.ts';
import { englishSound } from './english-sound.ts';
import type { ScoredSpan } from './jobs.ts';
import type { LoadedModels } from './loaded-models.ts';
import { mayBeEnglish, recogniseChunks } from './recognise-chunks.ts';

export interface ScoredChunk {
  readonly chunk: ChunkToRecognise;
  readonly spans: readonly ScoredSpan[];
  /** null unless a text was requested. */
  readonly written: WrittenText | null;
}

/** A part of a chunk, without sure speech, whose words decide about doubtful spans. */
interface Piece extends TimeSpan {
  readonly chunk: ChunkToRecognise;
  readonly doubtful: readonly ScoredSpan[];
}

/**
 * The spans of each chunk; those in which the speech check is unsure and nobody says anything read
 * as without speech. Where words are requested these decide later (`segment-drafts.ts`), of a text
 * it is whether there is any, and for everything else words are recognised here.
 */
export async function scoredOfSpeech(
  models: LoadedModels,
  chunks: readonly ScoredChunk[],
): Promise<readonly (readonly ScoredSpan[])[]> {
  const unsaid = new Set<ScoredSpan>();
  const pieces: Piece[] = [];
  for (const each of chunks) {
    const { request } = each.chunk;
    const doubtful = request.words ? [] : doubtfulSpans(models, each);
    if (!request.text) pieces.push(...piecesOf(each, doubtful));
    else if (!each.written?.text) doubtful.forEach((span) => unsaid.add(span));
  }
  for (const [{ doubtful, start }, words] of await wordsOf(models, pieces)) {
    for (const span of doubtful) {
      const said = saidIn(span, words, start);
      const isSure = wordsNeeded(speechEvidence(span.readings)) !== 'sure' || !areUnsure(said);
      if (said.length === 0 || !isSure) unsaid.add(span);
    }
  }
  return chunks.map(({ spans }) => {
    return spans.map((span) => (unsaid.has(span) ? withoutSpeech(span) : span));
  });
}

/** Of the speech check, for each span; [] where the head of the chunk has none. */
export function evidenceOf(
  { heads }: LoadedModels,
  { chunk, spans }: Pick<ScoredChunk, 'chunk' | 'spans'>,
): readonly SpeechEvidence[] {
  const { head } = chunk.request;
  if (head === null || !heads.get(head)?.endsInSpeechEvidence) return [];
  return spans.map(({ readings }) => speechEvidence(readings));
}

function doubtfulSpans(models: LoadedModels, each: ScoredChunk): readonly ScoredSpan[] {
  const needed = evidenceOf(models, each).map(wordsNeeded);
  return each.spans.filter((_, i) => needed[i] === 'any' || needed[i] === 'sure');
}

/** Each reaches to the sure speech around it, as words are recognised better in their context. */
function piecesOf(
  { chunk, spans }: ScoredChunk,
  doubtful: readonly ScoredSpan[],
): readonly Piece[] {
  const sure = spans.filter(({ readings }) => wordsNeeded(speechEvidence(readings)) === 'none');
  const end = chunk.pcm.length / sampleRate;
  const reach = (span: ScoredSpan): TimeSpan => ({
    start: Math.max(0, ...sure.filter((own) => own.end <= span.start).map((own) => own.end)),
    end: Math.min(end, ...sure.filter((own) => own.start >= span.end).map((own) => own.start)),
  });
  const grouped = Map.groupBy(doubtful, (span) => Object.values(reach(span)).join());
  return [...grouped.values()].map((own) => ({ ...reach(own[0]!), chunk, doubtful: own }));
}

async function wordsOf(
  models: LoadedModels,
  pieces: readonly Piece[],
): Promise<ReadonlyMap<Piece, readonly Word[]>> {
  const opened = new Map<Piece, ChunkToRecognise>();
  for (const piece of pieces) {
    const asked = piece.chunk.request;
    // Scores need no recogniser of the language: without one all speech is read as English.
    const language = otherLanguagesOf(models, asked) && asked.language;
    const request = { ...asked, language, words: true, head: null, spans: [] };
    const pcm = piece.chunk.pcm.subarray(piece.start * sampleRate, piece.end * sampleRate);
    const encoded = mayBeEnglish(models, { request })
      ? await models.recognizer.encoder.encode(pcm)
      : null;
    opened.set(piece, { request, pcm, sound: encoded && englishSound(models, encoded) });
  }
  const found = await recogniseChunks(models, [...opened.values()]);
  for (const { sound } of opened.values()) if (sound) freeLayers(sound.encoded);
  return new Map(
    Array.from(opened, ([piece, own]) => [piece, withoutUnheardMurmurs(found.get(own)!.words)]),
  );
}

/** @param words with times from `offset` seconds on */
function saidIn({ start, end }: TimeSpan, words: readonly Word[], offset: number): readonly Word[] {
  return words.filter((word) => {
    const [first, last] = [offset + word.start, offset + word.end];
    return start < last + wordEdgeSeconds && end > first - wordEdgeSeconds;
  });
}

function withoutSpeech(span: ScoredSpan): ScoredSpan {
  return { ...span, readings: span.readings.with(-2, minSpeechLogit - 1) };
}
