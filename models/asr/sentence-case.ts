// Sentences begin with a capital letter, also where two chunks or two readings of one meet.
import type { Word } from './transcript.ts';

const endsSentence = /[.!?]["')\]]?$/;
/** Initials, shortened words and a thought that goes on: no sentence ends there. */
const endsAbbreviation = /\..*\.|^["'([]?(?:mr|mrs|ms|dr|prof|st|vs|etc|no|jr|sr|inc|ltd)\.$/i;
/** Letters of a name that is written like `iPhone` stay. */
const startsSmall = /^["'([]?(?<first>\p{Ll})(?!\p{L}*\p{Lu})/u;

/** Words as they are, but for the first of a sentence. */
export function startSentences(words: readonly Word[]): readonly Word[] {
  return words.map((word, i) => {
    const before = words[i - 1]?.word ?? '';
    if (!endsSentence.test(before) || endsAbbreviation.test(before)) return word;
    const first = startsSmall.exec(word.word)?.groups?.['first'];
    if (first === undefined) return word;
    return { ...word, word: word.word.replace(first, first.toUpperCase()) };
  });
}
