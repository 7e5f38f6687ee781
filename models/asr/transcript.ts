// What recognition produces: words with times, chunk transcripts, and segments of a recording.

/** One written word; times are seconds from the start of the chunk or recording that holds it. */
export interface Word {
  readonly word: string;
  readonly start: number;
  readonly end: number;
  /** 0-1, or null when the model gives none. */
  readonly confidence: number | null;
}

/** Words of one chunk; times in seconds from the start of the recording. */
export interface ChunkTranscript {
  readonly index: number;
  readonly words: readonly Word[];
}

/** A run of words between pauses; times in seconds from the start of the recording. */
export interface TranscriptSegment {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly words: readonly Word[];
}

/** The whole recording. `text` is '' and `segments` is [] when no speech was found. */
export interface Transcript {
  readonly text: string;
  readonly segments: readonly TranscriptSegment[];
}
