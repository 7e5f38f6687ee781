// What a worker finds out about a recording's proficiency; the API makes scores of it.
import type { ProficiencyCheck } from './check.ts';
import type { PronouncedWord } from './pronounced-word.ts';

export interface ProficiencyAssessment {
  readonly check: ProficiencyCheck;
  /** In order; times in seconds from the start of the recording. */
  readonly words: readonly PronouncedWord[];
  /** By voice activity. */
  readonly speechSeconds: number;
  /** The caller gave the text. */
  readonly transcriptGiven: boolean;
  /** Windows that were aligned one by one. */
  readonly windows: number;
}
