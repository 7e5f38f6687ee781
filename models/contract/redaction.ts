// What can be removed from transcripts, and how a request says so.

/** Found by form; names come from the caller. */
export const redactionKinds = ['card', 'account', 'phone', 'email'] as const;
export type RedactionKind = (typeof redactionKinds)[number] | 'name';

export interface Redaction {
  readonly kinds: readonly (typeof redactionKinds)[number][];
  /** Hashes of names (models/redaction/name-hash.ts), because histories never contain words. */
  readonly names: readonly string[];
}

/** A stretch of speech that was removed from the transcript. */
export interface RemovedSpeech {
  readonly kind: RedactionKind;
  /** Seconds. */
  readonly start: number;
  readonly end: number;
  /** Index of the speaker; null without diarization. */
  readonly speaker: number | null;
}
