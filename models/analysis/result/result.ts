// The result of a recording: stored by the last activity, mapped to JSON by the API.
import type { LabelScore } from '../../affect/select.ts';
import type { Word } from '../../asr/transcript.ts';
import type { ProficiencyAssessment } from '../../proficiency/assessment.ts';
import type { RemovedSpeech } from '../../contract/redaction.ts';
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
  /** 15 emotions, then 16 styles; null unless requested. */
  readonly logits: readonly number[] | null;
}

/** Versioned, because an API may read what a worker of another release wrote. */
export interface RecordingResult {
  readonly version: 2;
  /** Decoded samples at the source's own rate, which determine limits, duration and billing. */
  readonly sourceSamples: number;
  readonly sourceRate: number;
  readonly billableSeconds: number;
  /** Time in inference processes, summed over chunks. */
  readonly inferenceMs: number;
  /** What a clip waited for the reservation of its minutes; absent elsewhere. */
  readonly reservationMs?: number;
  readonly text: string | null;
  readonly language: string | null;
  readonly emotions: readonly LabelScore[];
  readonly styles: readonly LabelScore[];
  readonly segments: readonly RecordingSegment[];
  /** Logits of the whole recording; null unless requested. */
  readonly logits: readonly number[] | null;
  /** Number of speakers; null without diarization. */
  readonly speakers: number | null;
  /** Seconds of speech of each channel, where each channel is a speaker; absent elsewhere. */
  readonly channelSpeechSeconds?: readonly number[];
  /** What was removed from the transcript, by start; absent unless requested. */
  readonly removed?: readonly RemovedSpeech[];
  /** Set when the result is kept; absent otherwise. */
  readonly outline?: RecordingOutline;
  /** Set for synthetic speech that sounds like another language than English; absent otherwise. */
  readonly unlikelyEnglish?: true;
  /** Set for the proficiency task; absent otherwise. */
  readonly proficiency?: ProficiencyAssessment;
}
