// Where a text has words that announce a number of a person.
import { partition } from '../contract/partition.ts';
import type { ReadWord } from './kinds.ts';
import { languages, perLanguage, wordIn } from './languages/languages.ts';
import type { Announcement } from './languages/redaction-language.ts';
import { bare, wholeWords } from './tokens.ts';

/** Of each language. A device announces its number. */
const patternsOf = perLanguage(({ announcements, devices }) =>
  Object.entries({ ...announcements, phone: `${announcements.phone}|${devices}` }).map(
    ([kind, alternatives]) => ({
      kind: kind as Announcement,
      pattern: new RegExp(wholeWords(alternatives), 'gu'),
    }),
  ),
);
const isHomograph = wordIn(({ homographs }) => homographs);

export interface Place {
  readonly kind: Announcement;
  /** In the text; the end is exclusive. */
  readonly index: number;
  readonly end: number;
}

export interface AnnouncementPlaces {
  /** The words without their marks, with a blank after each. */
  readonly text: string;
  readonly wordStarts: readonly number[];
  /** Of each language in order. */
  readonly places: readonly Place[];
}

/** Announcements of every language, but for words that mean something else where they are said. */
export function announcementPlaces(words: readonly ReadWord[]): AnnouncementPlaces {
  const wordStarts: number[] = [];
  let text = '';
  for (const { word } of words) {
    wordStarts.push(text.length);
    text += `${bare(word)} `;
  }
  const means = (code: string, said: string, index: number): boolean => {
    const { language, languages: acting } = words[countBelow(wordStarts, index + 1) - 1]!;
    return acting.includes(code) || !isHomograph(said, [language]);
  };
  const places = languages.flatMap(({ code }) =>
    patternsOf(code).flatMap(({ kind, pattern }) =>
      [...text.matchAll(pattern)]
        .filter(({ 0: said, index }) => means(code, said, index))
        .map(({ 0: said, index }) => ({ kind, index, end: index + said.length })),
    ),
  );
  return { text, wordStarts, places };
}

/** How many of ascending numbers are below a limit. */
export function countBelow(numbers: readonly number[], limit: number): number {
  return partition(numbers.length, (i) => numbers[i]! >= limit);
}
