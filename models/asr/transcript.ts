// What recognition produces: written words with times.

/** What was written of a whole chunk; '' when nobody speaks. */
export interface WrittenText {
  readonly text: string;
  readonly language: string;
}

/** By code; they add up to at most 1. */
export type LanguageProbabilities = Readonly<Record<string, number>>;

/** What was recognised of a chunk; [] when nobody speaks. */
export interface RecognisedWords {
  readonly words: readonly Word[];
  /** null where no language was settled on: then there are no words. */
  readonly language: string | null;
  readonly languages: LanguageProbabilities;
}

/** One written word; times are seconds from the start of the chunk or recording that holds it. */
export interface Word {
  readonly word: string;
  readonly start: number;
  readonly end: number;
  /** Probability that the word is right, 0-1, or null when the model gives none. */
  readonly confidence: number | null;
}
