// Cuts a chunk in which the language may change at its pauses, and gives each piece a language.
// Pure.
import type { LanguageProbabilities } from '../../asr/transcript.ts';
import { detectionScore } from '../../asr/language-decision.ts';
import { sampleRate } from '../../audio/sample-rate.ts';
import { hopSamples } from '../../vad/hops.ts';
import type { SpeechRegion } from '../../vad/speech-regions.ts';

/** Samples within a chunk. */
export interface Piece {
  readonly start: number;
  readonly end: number;
}

/** Neither recogniser can tell the language of less speech. */
const minPieceSamples = 1.2 * sampleRate;
/** Speakers may change over without a pause that voice activity detection finds. */
const maxPieceSamples = 3.6 * sampleRate;

/**
 * Pieces that cover the whole chunk, each from the middle of one pause to the middle of the next.
 * Speech of less than 1.2 s is joined to the nearer neighbour; speech of more than 3.6 s is cut
 * where it is quietest.
 * @param pcm of the chunk, 16 kHz
 */
export function cutAtPauses(regions: readonly SpeechRegion[], pcm: Int16Array): readonly Piece[] {
  const samples = pcm.length;
  let spoken: readonly Piece[] = regions.map(({ startHop, endHop }) => {
    return { start: startHop * hopSamples, end: Math.min(samples, endHop * hopSamples) };
  });
  for (;;) {
    const short = spoken.findIndex(({ start, end }) => end - start < minPieceSamples);
    if (short === -1 || spoken.length < 2) break;
    const gap = (i: number): number => {
      return i <= 0 || i >= spoken.length ? Infinity : spoken[i]!.start - spoken[i - 1]!.end;
    };
    const first = gap(short) <= gap(short + 1) ? short - 1 : short;
    const joined = { start: spoken[first]!.start, end: spoken[first + 1]!.end };
    spoken = [...spoken.slice(0, first), joined, ...spoken.slice(first + 2)];
  }
  const pieces = spoken.flatMap((piece) => cutWhereQuiet(piece, pcm));
  return pieces.map(({ start, end }, i) => {
    const before = pieces[i - 1];
    const after = pieces[i + 1];
    return {
      start: before ? Math.floor((before.end + start) / 2) : 0,
      end: after ? Math.floor((end + after.start) / 2) : samples,
    };
  });
}

/** Halves of halves, until none is too long. */
function cutWhereQuiet({ start, end }: Piece, pcm: Int16Array): readonly Piece[] {
  if (end - start <= maxPieceSamples) return [{ start, end }];
  let [quietest, least] = [start, Infinity];
  for (let at = start + minPieceSamples; at <= end - minPieceSamples; at += hopSamples) {
    let energy = 0;
    for (let i = at - hopSamples; i < at + hopSamples; i += 1) energy += pcm[i]! ** 2;
    if (energy < least) [quietest, least] = [at, energy];
  }
  const halves = [
    { start, end: quietest },
    { start: quietest, end },
  ];
  return halves.flatMap((half) => cutWhereQuiet(half, pcm));
}

/** Detected languages of a piece, as in `AnalyzedChunk`. */
export interface PieceEvidence {
  readonly languages?: LanguageProbabilities | null;
  readonly english?: number | null;
  /** Languages that it can have, at least one. */
  readonly candidates: readonly string[];
  /** Its share of Whisper's detection in the whole chunk, which counts once. */
  readonly ofChunk?: LanguageShare | null;
}

export interface LanguageShare {
  readonly languages: LanguageProbabilities;
  readonly pieces: number;
}

export interface Surroundings {
  /** Languages of the speech before and after the pieces; null at the ends of the recording. */
  readonly before: string | null;
  readonly after: string | null;
}

/** Log-odds against a change of language from one piece to the next. */
const changePenalty = 2;
/** Limits of the log-odds of English that a single piece contributes. */
const [minEnglishLogOdds, maxEnglishLogOdds] = [-4, 7];
/**
 * Those for English count less. What is clearly English, by its words as well, is English between
 * two pieces in another language: half of the sentences have more than 8, others at most 4.
 */
const weightOfEnglish = 0.75;

/**
 * The most probable sequence of languages, by Viterbi's algorithm (1967) on a hidden Markov model
 * whose states are the languages. Changes from and to the surrounding speech have the
 * same penalty as those from piece to piece.
 */
export function languagesOfPieces(
  pieces: readonly PieceEvidence[],
  { before, after }: Surroundings,
): readonly string[] {
  const change = (from: string | null, to: string | null): number => {
    return from === null || to === null || from === to ? 0 : changePenalty;
  };
  let paths = [{ codes: [] as string[], code: before, score: 0 }];
  for (const piece of pieces) {
    const previous = paths;
    paths = piece.candidates.map((code) => {
      const reached = previous.map(({ codes, code: from, score }) => {
        return { codes, score: score - change(from, code) };
      });
      const best = reached.reduce((max, each) => (each.score > max.score ? each : max));
      return { codes: [...best.codes, code], code, score: best.score + scoreOf(piece, code) };
    });
  }
  const ended = paths.map((path) => ({ ...path, score: path.score - change(path.code, after) }));
  return ended.reduce((max, path) => (path.score > max.score ? path : max)).codes;
}

/** Log-likelihood of a language, up to a constant of the piece. */
function scoreOf({ languages, english, ofChunk }: PieceEvidence, code: string): number {
  const detected = languages ? detectionScore(languages[code] ?? 0) : 0;
  const shared = ofChunk ? detectionScore(ofChunk.languages[code] ?? 0) / ofChunk.pieces : 0;
  const weighed = (english ?? 0) * ((english ?? 0) > 0 ? weightOfEnglish : 1);
  const logOdds = Math.max(minEnglishLogOdds, Math.min(maxEnglishLogOdds, weighed));
  return detected + shared + (code === 'en' ? logOdds : 0);
}
