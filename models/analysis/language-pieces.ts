// A chunk in which the language may change: cut at its pauses, and each piece given a language;
// pure.
import type { LanguageProbabilities } from '../asr/transcript.ts';
import { detectionScore } from '../asr/language-decision.ts';
import { sampleRate } from '../audio/sample-rate.ts';
import { hopSamples } from '../vad/hops.ts';
import type { SpeechRegion } from '../vad/speech-regions.ts';

/** Samples within a chunk. */
export interface Piece {
  readonly start: number;
  readonly end: number;
}

/** With less speech neither recogniser can tell the language. */
const leastPieceSamples = 1.2 * sampleRate;

/**
 * Pieces that cover the whole chunk, between the middles of its pauses; speech of less than 1.2 s
 * stays with the neighbour that is nearer.
 * @param samples length of the chunk
 */
export function cutAtPauses(regions: readonly SpeechRegion[], samples: number): readonly Piece[] {
  let spoken = regions.map(({ startHop, endHop }) => {
    return { start: startHop * hopSamples, end: Math.min(samples, endHop * hopSamples) };
  });
  for (;;) {
    const short = spoken.findIndex(({ start, end }) => end - start < leastPieceSamples);
    if (short === -1 || spoken.length < 2) break;
    const gap = (i: number): number => {
      return i <= 0 || i >= spoken.length ? Infinity : spoken[i]!.start - spoken[i - 1]!.end;
    };
    const first = gap(short) <= gap(short + 1) ? short - 1 : short;
    const joined = { start: spoken[first]!.start, end: spoken[first + 1]!.end };
    spoken = [...spoken.slice(0, first), joined, ...spoken.slice(first + 2)];
  }
  return spoken.map(({ start, end }, i) => {
    const before = spoken[i - 1];
    const after = spoken[i + 1];
    return {
      start: before ? Math.floor((before.end + start) / 2) : 0,
      end: after ? Math.floor((end + after.start) / 2) : samples,
    };
  });
}

/** What is known of a piece's language, as of a chunk's. */
export interface PieceEvidence {
  readonly language?: string | null;
  readonly languages?: LanguageProbabilities | null;
  readonly english?: number | null;
}

export interface Surroundings {
  /** Languages that the pieces can have, at least one. */
  readonly candidates: readonly string[];
  /** Whisper's detection in the whole chunk; null if it did not run. */
  readonly languages: LanguageProbabilities | null;
  /** Of the speech before and after the chunk; null at the ends of the recording. */
  readonly before: string | null;
  readonly after: string | null;
}

/** Log-odds against a change of language from one piece to the next. */
const costOfChange = 2;
/** Neither sound nor words of a piece say more about English than this, in log-odds. */
const mostEnglish = 4;

/**
 * The most probable sequence of languages: a hidden Markov model whose states are the languages
 * (Viterbi 1967). A change costs; what stands around the chunk counts as a piece beside it.
 */
export function languagesOfPieces(
  pieces: readonly PieceEvidence[],
  { candidates, languages, before, after }: Surroundings,
): readonly string[] {
  // What was detected in the whole chunk counts once for a chunk in one language.
  const ofChunk = (code: string): number => {
    return languages ? detectionScore(languages[code] ?? 0) / pieces.length : 0;
  };
  const change = (from: string | null, to: string | null): number => {
    return from === null || to === null || from === to ? 0 : costOfChange;
  };
  let paths = candidates.map((code) => ({ codes: [] as string[], code, score: 0 }));
  for (const [i, piece] of pieces.entries()) {
    const previous = paths;
    paths = candidates.map((code) => {
      const reached = previous.map(({ codes, code: from, score }) => {
        return { codes, score: score - change(i === 0 ? before : from, code) };
      });
      const best = reached.reduce((most, each) => (each.score > most.score ? each : most));
      const score = best.score + ofChunk(code) + scoreOf(piece, code);
      return { codes: [...best.codes, code], code, score };
    });
  }
  const ended = paths.map((path) => ({ ...path, score: path.score - change(path.code, after) }));
  return ended.reduce((most, path) => (path.score > most.score ? path : most)).codes;
}

/** Log-likelihood of a language, up to a constant of the piece. */
function scoreOf({ languages, english }: PieceEvidence, code: string): number {
  const detected = languages ? detectionScore(languages[code] ?? 0) : 0;
  const odds = Math.max(-mostEnglish, Math.min(mostEnglish, english ?? 0));
  return detected + (code === 'en' ? odds : 0);
}
