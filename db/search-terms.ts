// What a person typed into a search, as terms that PostgreSQL's full text can answer; pure.

export interface SearchTerm {
  /** One word, or several that follow each other. */
  readonly text: string;
  /** Also matches longer words that begin with the last one. */
  readonly isPrefix: boolean;
  /** Recordings with it are left out. */
  readonly isExcluded: boolean;
}

/** More say nothing more, and each costs a lookup. */
const maxTerms = 16;
const maxTermLength = 100;

/** A quoted phrase or a run without blanks, with or without a minus before it. */
const terms = /(-?)(?:"([^"]*)"?|(\S+))/gu;

/**
 * Every term has to match; words in quotes follow each other, `-word` excludes. A word also finds
 * those that it begins, because people search while they type.
 * @returns [] for text without a letter or digit
 */
export function parseSearch(typed: string): readonly SearchTerm[] {
  return [...typed.matchAll(terms)]
    .map(([, minus, quoted, word]): SearchTerm => {
      const text = (quoted ?? word ?? '').trim().slice(0, maxTermLength);
      const isExcluded = minus === '-';
      return { text, isPrefix: quoted === undefined && !isExcluded, isExcluded };
    })
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
    .slice(0, maxTerms);
}
