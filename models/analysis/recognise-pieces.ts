// Recognises a chunk in which the language may change: first each piece between pauses by itself,
// then neighbouring pieces in one language together.
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
  /** Set if the run is a single piece that was already recognised in this language. */
  readonly recognised: AnalyzedChunk | null;
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
  const recognise = ({ start, end }: Piece, language: string | null) => {
    const within = { startSample: chunk.startSample + start, endSample: chunk.startSample + end };
    return recogniseAgain(pool, recording, {
      chunk: { ...chunk, ...within, ...channelFrom(chunk.channel, start) },
      pcm: pcm.subarray(start, end),
      language,
    });
  };
  const recognised = await Promise.all(pieces.map((piece) => recognise(piece, null)));
  const languages = languagesOfPieces(recognised, change);
  const spentMs = recognised.reduce((sum, { inferenceMs }) => sum + inferenceMs, known.inferenceMs);
  if (languages.every((language) => language === known.language)) {
    return [{ ...known, inferenceMs: spentMs }];
  }
  const runs = runsOf(pieces, { languages, recognised });
  const parts = await Promise.all(
    runs.map(async ({ recognised: own, language, ...piece }) => {
      return own ? { ...own, inferenceMs: 0 } : recognise(piece, language);
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
function runsOf(
  pieces: readonly Piece[],
  found: { readonly languages: readonly string[]; readonly recognised: readonly AnalyzedChunk[] },
): readonly Run[] {
  const runs: Run[] = [];
  for (const [i, { start, end }] of pieces.entries()) {
    const language = found.languages[i]!;
    const last = runs.at(-1);
    if (last?.language === language) runs[runs.length - 1] = { ...last, end, recognised: null };
    else {
      const own = found.recognised[i]!;
      runs.push({ start, end, language, recognised: own.language === language ? own : null });
    }
  }
  return runs;
}
