// The languages whose words redaction knows.
import { dutch } from './dutch.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { italian } from './italian.ts';
import { portuguese } from './portuguese.ts';
import type { RedactionLanguage } from './redaction-language.ts';
import { russian } from './russian.ts';
import { spanish } from './spanish.ts';

export const languages: readonly RedactionLanguage[] = [
  ...[english, german, spanish, french, italian, dutch, portuguese, russian],
];

/** Mixed into many languages: what it announces counts everywhere. */
export const mixedIn = english.code;

/** What rules make of each language, by its code. */
export function perLanguage<T>(make: (language: RedactionLanguage) => T): (code: string) => T {
  const made = new Map(languages.map((language) => [language.code, make(language)]));
  return (code) => made.get(code)!;
}

/** The words of a list. */
export function listOf(words: string, separator = ' '): readonly string[] {
  return words.split(separator).filter(Boolean);
}

/** The words of a list in every language. */
export function allWords(listIn: (language: RedactionLanguage) => string): ReadonlySet<string> {
  return new Set(languages.flatMap((language) => listOf(listIn(language))));
}

/** A pattern of every language as one. */
export function allAlternatives(alternativesIn: (language: RedactionLanguage) => string): string {
  return languages
    .map(alternativesIn)
    .filter((pattern) => pattern !== '')
    .join('|');
}

/** Whether a word is in the list of one of the languages. */
export function wordIn(
  listIn: (language: RedactionLanguage) => string,
): (word: string, codes: readonly string[]) => boolean {
  const lists = perLanguage((language) => new Set(listOf(listIn(language))));
  return (word, codes) => codes.some((code) => lists(code).has(word));
}

/** Whether a pattern of one of the languages is in a text. @param regExpOf of a language */
export function patternIn(
  regExpOf: (language: RedactionLanguage) => RegExp,
): (text: string, codes: readonly string[]) => boolean {
  const patterns = perLanguage(regExpOf);
  return (text, codes) => codes.some((code) => patterns(code).test(text));
}
