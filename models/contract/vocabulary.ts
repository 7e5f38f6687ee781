// The terms of a request or an organization: names and phrases that recognition prefers where they
// sound alike.
import { isPlainText, plainTextRule } from './plain-text.ts';

export const maxTerms = 100;
export const maxTermCharacters = 64;
/** A single letter sounds like too many words. */
export const minTermCharacters = 2;

/** Terms between commas, semicolons and line breaks; each once, without blanks around it. */
export function termsOf(text: string): readonly string[] {
  return uniqueTerms(text.split(/[,;\n\r]/));
}

/** Each term once, without needless blanks, composed (NFC) as recognisers write. */
export function uniqueTerms(texts: readonly string[]): readonly string[] {
  const terms = texts.map((term) => term.trim().replaceAll(/\s+/g, ' ').normalize('NFC'));
  return [...new Set(terms.filter((term) => term !== ''))];
}

/** Why a list of terms is rejected, without a subject; null when it is accepted. */
export function problemOfTerms(terms: readonly string[]): string | null {
  if (!terms.every(isPlainText)) return plainTextRule;
  if (terms.length > maxTerms) return `takes at most ${maxTerms} terms, got ${terms.length}`;
  const long = terms.find((term) => term.length > maxTermCharacters);
  if (long !== undefined) {
    const got = `"${long.slice(0, 32)}" of ${long.length}`;
    return `takes terms of at most ${maxTermCharacters} characters, got ${got}`;
  }
  const short = terms.find(
    (term) => term.length < minTermCharacters || !/[\p{L}\p{N}]/u.test(term),
  );
  if (short === undefined) return null;
  const least = `at least ${minTermCharacters} characters with a letter or digit`;
  return `takes terms of ${least}, got "${short}"`;
}

/** What either prefers; of too many, the request's own come first. */
export function joinVocabularies(
  own: readonly string[] = [],
  organization: readonly string[] = [],
): readonly string[] {
  return uniqueTerms([...own, ...organization]).slice(0, maxTerms);
}
