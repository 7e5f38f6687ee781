// Recognises a chunk in which the language may change: detects that of each piece between pauses,
// then recognises neighbouring pieces in one language together.
import type { InferencePool } from '../../inference/jobs.ts';
import { findSpeechRegions } from '../../vad/speech-regions.ts';
import { isClearlyEnglish } from '../../asr/language-decision.ts';
import { readChunk } from '../plan/chunk-samples.ts';
import { recogniseAgain } from '../analyze-chunk.ts';
import type { AnalyzedChunk } from '../analyzed-chunk.ts';
import type { AnalyzedRecording } from '../analyzed-recording.ts';
import type { LanguageChange, LanguageChanges } from './language-change.ts';
import {
  cutAtPauses,
  languagesOfPieces,
  type Piece,
  type PieceEvidence,
} from './language-pieces.ts';
import type { PlannedChunk } from '../plan/plan.ts';

/** A chunk whose language may change, cut into pieces whose languages were detected. */
export interface ChunkInPieces {
  readonly known: AnalyzedChunk;
  readonly pieces: readonly Piece[];
  readonly evidence: readonly PieceEvidence[];
  readonly spentMs: number;
}

interface Run extends Piece {
  readonly language: string;
}

/** A piece of an English chunk is in another language if English is less probable ... */
const maxEnglish = 0.1;
/** ... and may be in one that is more probable. */
const minOther = 0.2;

export async function detectPieces(
  pool: InferencePool,
  recording: AnalyzedRecording,
  { known, change }: { readonly known: AnalyzedChunk; readonly change: LanguageChange },
): Promise<ChunkInPieces> {
  const chunk = recording.plan.chunks[change.index]!;
  const pcm = await readChunk(recording.read, chunk);
  const pieces = cutAtPauses(findSpeechRegions(await pool.voiceActivity(pcm, recording.job)), pcm);
  if (pieces.length < 2) {
    // The chunk was heard as a whole before.
    const candidates = known.language ? [known.language] : change.candidates;
    return { known, pieces, evidence: pieces.map(() => ({ candidates })), spentMs: 0 };
  }
  const { languages, candidates: expected, mayHideOthers } = change;
  const ofChunk = languages && { languages, pieces: pieces.length };
  // Only Moonshine's encoder hears how likely English is, and that is asked where it may be spoken,
  // but not of voices that it has taken for English in vain.
  const isHeard = !recording.chunks.some(isMisheard) && (mayHideOthers || expected.includes('en'));
  const detected = await Promise.all(
    pieces.map((piece) => {
      const detecting = { language: null, detectionOnly: true } as const;
      const asked = { ...detecting, ...(!isHeard && { unlikelyEnglish: true as const }) };
      return recogniseAgain(pool, recording, { ...partOf(chunk, pcm, piece), ...asked });
    }),
  );
  const hidden = mayHideOthers ? detected.flatMap(otherLanguagesOf) : [];
  const candidates = [...new Set([...expected, ...hidden])];
  const evidence = detected.map((own) => {
    return { languages: own.languages ?? null, english: own.english ?? null, candidates, ofChunk };
  });
  const spentMs = detected.reduce((sum, { inferenceMs }) => sum + inferenceMs, 0);
  return { known, pieces, evidence, spentMs };
}

/** A chunk that sounds like English, and is in another language by its words. */
function isMisheard({ language, english }: AnalyzedChunk): boolean {
  return language !== null && language !== 'en' && isClearlyEnglish(english ?? 0, {});
}

/** Languages of a piece that is hardly English. */
function otherLanguagesOf({ languages }: AnalyzedChunk): readonly string[] {
  if (!languages || (languages.en ?? 0) > maxEnglish) return [];
  const all = Object.entries(languages).filter(([code]) => code !== 'en');
  return all.filter(([, probability]) => probability >= minOther).map(([code]) => code);
}

/** The languages of the pieces of each chunk. */
export function languagesOfChunks(
  chunks: readonly ChunkInPieces[],
  around: Omit<LanguageChanges, 'chunks'>,
): readonly (readonly string[])[] {
  const all = languagesOfPieces(
    chunks.flatMap(({ evidence }) => evidence),
    around,
  );
  let start = 0;
  return chunks.map(({ pieces }) => all.slice(start, (start += pieces.length)));
}

/** @returns the chunk itself if it is in one language, else a part for each run of a language */
export async function recogniseInPieces(
  pool: InferencePool,
  recording: AnalyzedRecording,
  { known, pieces, spentMs }: ChunkInPieces,
  languages: readonly string[],
): Promise<readonly AnalyzedChunk[]> {
  const heardMs = known.inferenceMs + spentMs;
  if (pieces.length < 2 || languages.every((language) => language === known.language)) {
    return [{ ...known, inferenceMs: heardMs }];
  }
  const chunk = recording.plan.chunks[known.index]!;
  const pcm = await readChunk(recording.read, chunk);
  const parts = await Promise.all(
    runsOf(pieces, languages).map(({ language, ...piece }) => {
      return recogniseAgain(pool, recording, { ...partOf(chunk, pcm, piece), language });
    }),
  );
  return parts.map(({ words, language, inferenceMs }, i) => ({
    ...known,
    words,
    language: language ?? null,
    ...(i === 0 ? {} : { scored: [], written: null }),
    inferenceMs: inferenceMs + (i === 0 ? heardMs : 0),
  }));
}

/** A piece with what it has of the silence around the chunk's samples. */
function partOf(
  chunk: PlannedChunk,
  pcm: Int16Array,
  { start, end }: Piece,
): { readonly chunk: PlannedChunk; readonly pcm: Int16Array } {
  const { silence, ...rest } = chunk;
  const recordedStart = silence?.beforeSamples ?? 0;
  const recordedEnd = recordedStart + chunk.endSample - chunk.startSample;
  const [first, last] = [Math.max(start, recordedStart), Math.min(end, recordedEnd)];
  const startSample = chunk.startSample + first - recordedStart;
  const within = { startSample, endSample: startSample + last - first };
  const around = { beforeSamples: first - start, afterSamples: end - last };
  return {
    chunk: {
      ...{ ...rest, ...within, ...channelFrom(chunk.channel, first - recordedStart) },
      ...(around.beforeSamples + around.afterSamples > 0 && { silence: around }),
    },
    pcm: pcm.subarray(start, end),
  };
}

function channelFrom(
  channel: PlannedChunk['channel'],
  start: number,
): Pick<PlannedChunk, 'channel'> {
  return channel ? { channel: { ...channel, clockSample: channel.clockSample + start } } : {};
}

/** Joins neighbouring pieces in one language. */
function runsOf(pieces: readonly Piece[], languages: readonly string[]): readonly Run[] {
  const runs: Run[] = [];
  for (const [i, { start, end }] of pieces.entries()) {
    const language = languages[i]!;
    const last = runs.at(-1);
    if (last?.language === language) runs[runs.length - 1] = { ...last, end };
    else runs.push({ start, end, language });
  }
  return runs;
}
