// Recognises a chunk in which the language may change: detects that of each piece between pauses,
// then recognises neighbouring pieces in one language together.
import type { InferencePool } from '../inference/jobs.ts';
import { findSpeechRegions } from '../vad/speech-regions.ts';
import { recogniseAgain } from './analyze-chunk.ts';
import type { AnalyzedChunk } from './analyzed-chunk.ts';
import type { AnalyzedRecording } from './analyzed-recording.ts';
import type { LanguageChange } from './language-change.ts';
import { cutAtPauses, languagesOfPieces, type Piece } from './language-pieces.ts';
import type { PlannedChunk } from './plan.ts';

export interface ChunkAtChange {
  readonly known: AnalyzedChunk;
  readonly change: LanguageChange;
}

interface Run extends Piece {
  readonly language: string;
}

/** @returns the chunk itself if it is in one language, else a part for each run of a language */
export async function recogniseInPieces(
  pool: InferencePool,
  recording: AnalyzedRecording,
  { known, change }: ChunkAtChange,
): Promise<readonly AnalyzedChunk[]> {
  const chunk = recording.plan.chunks[change.index]!;
  const pcm = await recording.read(chunk);
  const probabilities = await pool.voiceActivity(pcm, recording.job);
  const pieces = cutAtPauses(findSpeechRegions(probabilities), pcm);
  if (pieces.length < 2) return [known];
  const partOf = ({ start, end }: Piece) => {
    const within = { startSample: chunk.startSample + start, endSample: chunk.startSample + end };
    return {
      chunk: { ...chunk, ...within, ...channelFrom(chunk.channel, start) },
      pcm: pcm.subarray(start, end),
    };
  };
  const detected = await Promise.all(
    pieces.map((piece) => {
      const asked = { ...partOf(piece), language: null, detectionOnly: true } as const;
      return recogniseAgain(pool, recording, asked);
    }),
  );
  const languages = languagesOfPieces(detected, change);
  const spentMs = detected.reduce((sum, { inferenceMs }) => sum + inferenceMs, known.inferenceMs);
  if (languages.every((language) => language === known.language)) {
    return [{ ...known, inferenceMs: spentMs }];
  }
  const runs = runsOf(pieces, languages);
  const parts = await Promise.all(
    runs.map(({ language, ...piece }) => {
      return recogniseAgain(pool, recording, { ...partOf(piece), language });
    }),
  );
  return parts.map(({ words, language, inferenceMs }, i) => ({
    ...known,
    words,
    language: language ?? null,
    ...(i === 0 ? {} : { scored: [], written: null }),
    inferenceMs: inferenceMs + (i === 0 ? spentMs : 0),
  }));
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
