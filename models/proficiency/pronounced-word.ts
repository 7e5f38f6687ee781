// A word of the text aligned to its recording: the input of every measure of proficiency.

/** Times in seconds from the start of the recording. */
export interface PronouncedWord {
  readonly word: string;
  readonly start: number;
  readonly end: number;
  /** 0 for a word that is not spoken, such as a dash, which cannot be scored. */
  readonly phones: number;
  /**
   * Goodness of pronunciation: the mean over the word's phones of the phone's log-posterior minus
   * that of the most likely phone (Witt and Young 2000). 0 is best.
   */
  readonly gop: number;
  /** Length of each vowel, in order. */
  readonly vowelSeconds: readonly number[];
}

/** A word as it was aligned. */
export interface HeardWord extends PronouncedWord {
  /** How long its phones are what is heard: less than its length where it stands for others. */
  readonly heardSeconds: number;
}
