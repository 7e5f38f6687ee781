// Words as redaction reads them, and what it finds.
import type { RedactionKind } from '../contract/redaction.ts';

/** A word with what its surroundings say about it. */
export interface SpokenWord {
  readonly word: string;
  /** Seconds. */
  readonly start: number;
  readonly end: number;
  /** null without diarization. */
  readonly speaker: number | null;
  /** ISO 639-1. */
  readonly language: string;
}

export interface ReadWord extends SpokenWord {
  /** ISO 639-1 codes of the languages whose words count here. */
  readonly languages: readonly string[];
}

/** Words of one speaker that are to be removed, by their index, in order. */
export interface Finding {
  readonly kind: RedactionKind;
  readonly words: readonly number[];
}
