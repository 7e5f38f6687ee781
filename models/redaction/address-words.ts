// Words of a spoken e-mail address that stand for a sign, a letter or a name.
import { linkLength } from './spelled-letters.ts';

/** Nothing before them belongs to an address. */
export const stops: ReadonlySet<string> = new Set(
  (
    "is it it's its address email e-mail mail to me us my the a an and or at on um uh so " +
    'yeah yes okay ist meine adresse lautet es la el mi correo dirección est mon adresse ' +
    "mail è mia indirizzo à é c'est"
  ).split(' '),
);

/** The words, with one sign in the place of those that say it. */
export function readableWords(texts: readonly string[]): readonly string[] {
  return withTwins(withUnderscores(texts));
}

/** "tiret du bas", "guión bajo" and "liggend streepje" are one sign. */
function withUnderscores(texts: readonly string[]): readonly string[] {
  const isBas = (i: number): boolean =>
    texts[i - 1] === 'tiret' && texts[i] === 'du' && texts[i + 1] === 'bas';
  const isOne = (i: number): boolean =>
    (/^(?:guion|guión)$/.test(texts[i - 1] ?? '') && texts[i] === 'bajo') ||
    (texts[i - 1] === 'trattino' && texts[i] === 'basso') ||
    (texts[i] === 'liggend' && texts[i + 1] === 'streepje');
  return texts.map((text, i) => (isBas(i) || isBas(i - 1) || isOne(i) ? '_' : text));
}

export const conjunctions: ReadonlySet<string> = new Set('and und et y e en'.split(' '));

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
