// The results of recognition: words with times, and texts.

/** The text of a whole chunk; '' without speech. */
export interface WrittenText {
  readonly text: string;
  readonly language: string;
}

/** By code; they add up to at most 1. */
export type LanguageProbabilities = Readonly<Record<string, number>>;

/** Letters and digits of a word, in lower case. */
export function bareWord(word: string): string {
  return word.toLowerCase().replaceAll(/[^\p{L}\p{N}']/gu, '');
}

/** One word; times are seconds from the start of the chunk or recording that contains it. */
export interface Word {
  readonly word: string;
  readonly start: number;
  readonly end: number;
  /** Probability that the word is correct, 0-1; null when the model gives none. */
  readonly confidence: number | null;
}
