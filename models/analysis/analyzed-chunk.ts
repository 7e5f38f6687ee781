// What inference has made of a recording's chunks: everything that its result is assembled from.
import type { LanguageProbabilities, Word, WrittenText } from '../asr/transcript.ts';
import type { ReadSamples } from '../audio/samples.ts';
import type { AudioLength } from '../contract/billing.ts';
import type { RecordingRequest } from '../contract/recording-request.ts';
import type { JobOptions } from '../inference/jobs.ts';
import type { RecordingPlan } from './plan.ts';

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

/** Everything that a result is assembled from. */
export interface AnalyzedRecording {
  readonly request: RecordingRequest;
  readonly audio: AudioLength;
  readonly plan: RecordingPlan;
  /** In any order. */
  readonly chunks: readonly AnalyzedChunk[];
  /** Reads samples again, for proficiency. */
  readonly read: ReadSamples;
  readonly job: JobOptions;
}
