// The domain result of a recording: what the last activity stores and the API maps to JSON.
import type { LabelScore } from '../affect/select.ts';
import type { Word } from '../asr/transcript.ts';
import type { ProficiencyAssessment } from '../proficiency/assessment.ts';
import type { RecordingOutline } from './outline.ts';

/** A segment or speaker turn; times in seconds from the start of the recording. */
export interface RecordingSegment {
  readonly start: number;
  readonly end: number;
  /** null when the task has no words. */
  readonly text: string | null;
  readonly words: readonly Word[];
  /** Index in order of first appearance; null without diarization. */
  readonly speaker: number | null;
  readonly emotions: readonly LabelScore[];
  readonly styles: readonly LabelScore[];
  /** 15 emotions, then 16 styles; null unless they were asked for. */
  readonly logits: readonly number[] | null;
}

/** JSON of the result object. Versioned: an API may read what a worker of another release wrote. */
export interface RecordingResult {
  readonly version: 2;
  /** Decoded samples at the source's own rate: limits, duration and billing use these. */
  readonly sourceSamples: number;
  readonly sourceRate: number;
  readonly billableSeconds: number;
  /** Time in inference processes, summed over chunks. */
  readonly inferenceMs: number;
  readonly text: string | null;
  readonly language: string | null;
  readonly emotions: readonly LabelScore[];
  readonly styles: readonly LabelScore[];
  readonly segments: readonly RecordingSegment[];
  /** Of the whole recording, when they were asked for. */
  readonly logits: readonly number[] | null;
  /** Number of speakers; null without diarization. */
  readonly speakers: number | null;
  /** Seconds of speech of each channel, where each channel is a speaker; absent elsewhere. */
  readonly channelSpeechSeconds?: readonly number[];
  /** Of recordings whose result is kept; absent elsewhere. */
  readonly outline?: RecordingOutline;
  /** Of the proficiency task; absent elsewhere. */
  readonly proficiency?: ProficiencyAssessment;
}
