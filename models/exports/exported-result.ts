// The part of a SpeechResult (interface.md) that exports, call metrics and the terminal show.

export interface ExportedWord {
  readonly word: string;
  /** Seconds. */
  readonly start: number;
  readonly end: number;
  /** 0-1; null when it is not known. */
  readonly confidence: number | null;
}

export interface ExportedSegment {
  readonly start: number;
  readonly end: number;
  /** null for tasks without words. */
  readonly text: string | null;
  readonly words: readonly ExportedWord[];
  readonly speaker: string | null;
  readonly emotions: readonly { readonly label: string; readonly score: number }[];
  readonly styles: readonly { readonly label: string; readonly score: number }[];
}

export interface ExportedResult {
  /** Seconds. */
  readonly duration: number;
  /** ISO 639-1 code of the words; null or absent when it is not known. */
  readonly language?: string | null | undefined;
  readonly segments: readonly ExportedSegment[];
  /** dBFS by channel and second; absent when the recording was not measured. */
  readonly loudnessDb?: readonly (readonly number[])[];
}

/**
 * The segments of speech: a recording in which none was found has one segment over all of it
 * (contract.md), which holds its scores and is nobody's talk.
 */
export function spokenSegments({ duration, segments }: ExportedResult): readonly ExportedSegment[] {
  return segments.length === 1 && isOverAll(segments[0]!, duration) && isUnspoken(segments[0]!)
    ? []
    : segments;
}

function isOverAll({ start, end }: ExportedSegment, duration: number): boolean {
  return start === 0 && end >= duration;
}

/** Speech of task `style` may be without any style, but where speakers are told, it has one. */
function isUnspoken({ text, words, speaker, emotions, styles }: ExportedSegment): boolean {
  return speaker === null && !text && words.length + emotions.length + styles.length === 0;
}
