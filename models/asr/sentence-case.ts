// A sentence begins with a capital letter where two readings meet, of chunks or of models. Within a
// reading the letters are the recogniser's: it knows ordinals and abbreviations.
import type { Word } from './transcript.ts';

const endsSentence = /[.!?]["')\]]?$/;
/** Initials, shortened words and a thought that goes on: no sentence ends there. */
const endsAbbreviation = /\..*\.|^["'([]?(?:mr|mrs|ms|dr|prof|st|vs|etc|no|jr|sr|inc|ltd)\.$/i;
/** Letters of a name that is written like `iPhone` stay, and Dutch words like `'t`. */
const startsSmall = /^(?!['’]\p{L}$)["'([]?(?<first>\p{Ll})(?!\p{L}*\p{Lu})/u;

/** The words of readings that follow each other. */
export function joinReadings(readings: readonly (readonly Word[])[]): readonly Word[] {
  const words: Word[] = [];
  for (const reading of readings) words.push(...startSentence(reading, words.at(-1)));
  return words;
}

/** The words of a reading behind a word of another one; undefined for none. */
export function startSentence(words: readonly Word[], before: Word | undefined): readonly Word[] {
  const [word, ...rest] = words;
  if (!word || !before || !endsSentence.test(before.word) || endsAbbreviation.test(before.word))
    return words;
  const first = startsSmall.exec(word.word)?.groups?.['first'];
  if (first === undefined) return words;
  return [{ ...word, word: word.word.replace(first, first.toUpperCase()) }, ...rest];
}
