// A worker's assessment of proficiency, from which the API computes the scores.
import type { ProficiencyCheck } from './check.ts';
import type { PronouncedWord } from './pronounced-word.ts';

export interface ProficiencyAssessment {
  readonly check: ProficiencyCheck;
  /** In order; times in seconds from the start of the recording. */
  readonly words: readonly PronouncedWord[];
  /** By voice activity. */
  readonly speechSeconds: number;
  /** The caller gave a transcript. */
  readonly transcriptGiven: boolean;
  /** Windows that were aligned separately. */
  readonly windows: number;
}
