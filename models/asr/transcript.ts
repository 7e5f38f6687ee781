// What recognition produces: written words with times.

/** What was written of a whole chunk; '' when nobody speaks. */
export interface WrittenText {
  readonly text: string;
  readonly language: string;
}

/** By code; they add up to at most 1. */
export type LanguageProbabilities = Readonly<Record<string, number>>;

/** One written word; times are seconds from the start of the chunk or recording that holds it. */
export interface Word {
  readonly word: string;
  readonly start: number;
  readonly end: number;
  /** Probability that the word is right, 0-1, or null when the model gives none. */
  readonly confidence: number | null;
}
