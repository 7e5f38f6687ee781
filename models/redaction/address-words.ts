// Words of a spoken e-mail address that stand for a sign, a letter or a name.
import { allWords, languages, listOf } from './languages/languages.ts';
import { linkLength } from './spelled-letters.ts';

/** Nothing before them belongs to an address. */
export const stops = allWords(({ addresses }) => addresses.stops);
export const conjunctions = allWords(({ addresses }) => addresses.conjunctions);
/** Phrases for one sign: "tiret du bas". */
const underscores = languages
  .flatMap(({ addresses }) => listOf(addresses.underscores, ','))
  .map((phrase) => listOf(phrase));

/** The words, with one sign in the place of those that say it. */
export function readableWords(texts: readonly string[]): readonly string[] {
  return withTwins(withUnderscores(texts));
}

function withUnderscores(texts: readonly string[]): readonly string[] {
  const read = [...texts];
  for (const i of texts.keys())
    for (const phrase of underscores)
      if (phrase.every((word, at) => texts[i + at] === word)) read.fill('_', i, i + phrase.length);
  return read;
}

/** "so and so": a name, though each of its words ends one. */
function withTwins(texts: readonly string[]): readonly string[] {
  const isTwin = (i: number): boolean =>
    conjunctions.has(texts[i] ?? '') && texts[i - 1] === texts[i + 1];
  return texts.map((text, i) => {
    if (isTwin(i)) return '_';
    return stops.has(text) && (isTwin(i - 1) || isTwin(i + 1)) ? twin : text;
  });
}

/** In the place of a word of a name that is elsewhere none. */
const twin = 'name';
/** In the place of a word that stands for a letter or for digits. */
export const spelled = '0';

/** "S as in sugar": the words that say which letter is meant. */
export function exampleWords(texts: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [i, letter] of texts.entries()) {
    if (!/^\p{L}$/u.test(letter)) continue;
    // "sara with an h".
    if (texts[i - 2] === 'with' && /^an?$/.test(texts[i - 1]!)) found.add(i - 2).add(i - 1);
    const joints = linkLength(i + 1, (at) => texts[at]);
    const word = texts[i + joints + 1];
    if (joints === 0 || !word?.startsWith(letter)) continue;
    for (let at = i + 1; at <= i + joints + 1; at += 1) found.add(at);
  }
  return found;
}
