// A recording whose chunks are analysed: everything that its result is made of.
import type { ReadSamples } from '../audio/samples.ts';
import type { AudioLength } from '../contract/billing.ts';
import type { RecordingRequest } from '../contract/recording-request.ts';
import type { JobOptions } from '../inference/jobs.ts';
import type { AnalyzedChunk } from './analyzed-chunk.ts';
import type { RecordingPlan } from './plan/plan.ts';

export interface AnalyzedRecording {
  readonly request: RecordingRequest;
  readonly audio: AudioLength;
  readonly plan: RecordingPlan;
  /** In any order. */
  readonly chunks: readonly AnalyzedChunk[];
  /** Reads samples again: for proficiency, and for chunks that are recognised a second time. */
  readonly read: ReadSamples;
  readonly job: JobOptions;
  /** What its analysis waited for the reservation of its minutes; absent where it is unknown. */
  readonly reservationMs?: number;
}
