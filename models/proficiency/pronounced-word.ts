// A word of the text aligned to its recording: the input of every measure of proficiency.

/** Times in seconds from the start of the recording. */
export interface PronouncedWord {
  readonly word: string;
  readonly start: number;
  readonly end: number;
  /** 0 for what is not spoken, such as a dash: such a word cannot be scored. */
  readonly phones: number;
  /**
   * Goodness of pronunciation: mean over the word's phones of the log-posterior of the phone less
   * that of the likeliest phone (Witt and Young 2000). 0 is best.
   */
  readonly gop: number;
  /** Length of each vowel, in order. */
  readonly vowelSeconds: readonly number[];
}
