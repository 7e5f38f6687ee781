// The domain result of a recording: what the last activity stores and the API maps to JSON.
import type { TranscriptSegment } from './asr/transcript.ts';

/** JSON of the result object. Versioned: an API may read what a worker of another release wrote. */
export interface RecordingResult {
  readonly version: 1;
  /** Decoded samples at the source's own rate: limits, duration and billing use these. */
  readonly sourceSamples: number;
  readonly sourceRate: number;
  readonly billableSeconds: number;
  readonly text: string;
  readonly language: string;
  readonly segments: readonly TranscriptSegment[];
}
