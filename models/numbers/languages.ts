// The languages whose numbers are known.
import { dutch } from './dutch.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { italian } from './italian.ts';
import type { NumberLanguage, NumeralLanguage } from './number-language.ts';
import { portuguese } from './portuguese.ts';
import { russian } from './russian.ts';
import { spanish } from './spanish.ts';

/** Those whose numbers are written in digits. */
export const writtenLanguages: Readonly<Record<string, NumberLanguage>> = {
  en: english,
  es: spanish,
  fr: french,
  de: german,
  it: italian,
};

const readLanguages: Readonly<Record<string, NumeralLanguage>> = {
  ...writtenLanguages,
  nl: dutch,
  pt: portuguese,
  ru: russian,
};

/** ISO 639-1 codes of the languages whose numbers are read. */
export const readLanguageCodes: readonly string[] = Object.keys(readLanguages);

/** For a language without numbers here that of English, which is mixed into many. */
export function numeralsOf(code: string): NumeralLanguage {
  return Object.hasOwn(readLanguages, code) ? readLanguages[code]! : english;
}
