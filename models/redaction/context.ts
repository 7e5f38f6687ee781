// What was said before a number: it decides what the number is, whoever said it.
import { announcementPlaces, countBelow, type Place } from './announcement-places.ts';
import type { ReadWord } from './kinds.ts';
import { allAlternatives } from './languages/languages.ts';
import type { Announcement } from './languages/redaction-language.ts';
import { bare } from './tokens.ts';

const maxSecondsBefore = 25;

/**
 * The announcements in the time before a moment, the nearest first. Those of one phrase, such as
 * "the phone number on your account", are together, the one that is meant first.
 */
export type Announcements = (seconds: number) => readonly (readonly Announcement[])[];

/** @param words of everybody, by start */
export function announcementsIn(words: readonly ReadWord[]): Announcements {
  const starts = words.map(({ start }) => start);
  const { text, wordStarts, places: found } = announcementPlaces(words);
  const clauseEnds = words.flatMap(({ word }, i) =>
    /[.,?!;:]$/.test(word) ? [(wordStarts[i + 1] ?? text.length) - 1] : [],
  );
  const all = [...Map.groupBy(found, ({ kind }) => kind).values()].map((own) => {
    const sorted = own.toSorted((a, b) => a.end - b.end || a.index - b.index);
    return { places: sorted, ends: sorted.map(({ end }) => end) };
  });
  const between = (before: Place, after: Place): string | null => {
    const isEnded = countBelow(clauseEnds, before.end) < countBelow(clauseEnds, after.index);
    return isEnded ? null : text.slice(before.end, after.index).trim();
  };
  return (seconds) => {
    const from = wordStarts[countBelow(starts, seconds - maxSecondsBefore)] ?? text.length;
    const to = wordStarts[countBelow(starts, seconds)] ?? text.length;
    const last = all
      .flatMap(({ places, ends }) => places[countBelow(ends, to) - 1] ?? [])
      .filter(({ index }) => index >= from)
      .toSorted((a, b) => b.end - a.end);
    return phrasesOf(last, between);
  };
}

/** Said between two kinds of which the first is meant: "the account number for your phone". */
const links = new RegExp(`(?:^| )(?:${allAlternatives((language) => language.links)})(?: |$)`, 'u');
const joins = new RegExp(`(?:^| )(?:${allAlternatives((language) => language.joins)})(?: |$)`, 'u');
const maxLinkWords = 5;

/** @param places the nearest first. @param between what is said there; null over a mark */
function phrasesOf(
  places: readonly Place[],
  between: (before: Place, after: Place) => string | null,
): readonly (readonly Announcement[])[] {
  const phrases: Place[][] = [];
  for (const place of places) {
    const phrase = phrases.at(-1);
    const link = phrase ? between(place, phrase.at(-1)!) : null;
    const isPhrase = link !== null && link.split(' ').length <= maxLinkWords && !joins.test(link);
    if (!isPhrase) phrases.push([place]);
    else if (links.test(link)) phrase!.unshift(place);
    else phrase!.push(place);
  }
  return phrases.map((phrase) => phrase.map(({ kind }) => kind));
}

/** Whether one of the words announces a number of another kind. */
export function announces(words: readonly ReadWord[], own: Announcement | null = null): boolean {
  return words.length > 0 && announcementPlaces(words).places.some(({ kind }) => kind !== own);
}

const maxWordsBefore = 20;

/** The last words before one of them. */
export function wordsBefore(words: readonly ReadWord[], index: number): readonly ReadWord[] {
  return words.slice(Math.max(0, index - maxWordsBefore), index);
}

/** Their text, with a line for each sentence and speaker. */
export function linesOf(words: readonly ReadWord[]): string {
  return words
    .map(({ word, speaker }, i) => {
      const next = words[i + 1];
      const isLast = next === undefined || next.speaker !== speaker || /[.?!:]$/.test(word);
      return `${bare(word)}${isLast ? '\n' : ' '}`;
    })
    .join('')
    .trimEnd();
}
