// What inference has made of one chunk of a recording.
import type { LogOddsOfParts } from '../asr/english-head.ts';
import type { LanguageProbabilities, Word, WrittenText } from '../asr/transcript.ts';

/** One chunk after inference; times in seconds from the start of the recording. */
export interface AnalyzedChunk {
  readonly index: number;
  readonly words: readonly Word[];
  /** Of the words; null if none were requested. Absent in chunks of earlier versions: English. */
  readonly language?: string | null;
  /** Whisper's detection; null if it did not run. */
  readonly languages?: LanguageProbabilities | null;
  /**
   * Log-odds of English: from its sound, and from its words where Moonshine wrote them; null if its
   * encoder did not run.
   */
  readonly english?: number | null;
  /** The same from the sound alone, of the 1.6 s in which they are lowest, and highest. */
  readonly englishParts?: LogOddsOfParts | null;
  /** Absent when the channels are mixed. */
  readonly channel?: number;
  /** Set when whole chunks are transcribed; null otherwise. */
  readonly written: WrittenText | null;
  readonly scored: readonly ScoredPart[];
  readonly inferenceMs: number;
}

export interface ScoredPart {
  /** Index of the planned segment; null when segments follow from the words. */
  readonly segment: number | null;
  readonly start: number;
  readonly end: number;
  readonly readings: readonly number[];
}
