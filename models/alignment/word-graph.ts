// The states of words in order: each reading and each pronunciation is a parallel path, as in the
// lexicons of Kaldi and of the Montreal Forced Aligner, and silence may come around every word.
import type { Pronunciations, SpokenPart } from './pronounce.ts';
import { opening, type AlignmentState, type StateSpan } from './viterbi.ts';

const silence = 0;

export interface WordGraph {
  readonly states: readonly AlignmentState[];
  /** Index of the word that each state belongs to; null for a silence. */
  readonly words: readonly (number | null)[];
  /** States in which all words have been said. */
  readonly ends: readonly number[];
  /** States in which the first words have been said, none to all of them. */
  readonly anyEnds: readonly number[];
}

/** @param words the parts of each word; one without a part that has phones is not spoken */
export function graphOf(words: readonly (readonly SpokenPart[])[]): WordGraph {
  const graph = { states: [] as AlignmentState[], words: [] as (number | null)[] };
  const add = (phone: number, after: readonly number[], word: number | null): number => {
    graph.words.push(word);
    return graph.states.push({ phone, after }) - 1;
  };
  let open: readonly number[] = [add(silence, [opening], null), opening];
  const anyEnds = [0];
  words.forEach((parts, word) => {
    const addPhones = (after: readonly number[], phones: readonly number[]): readonly number[] =>
      phones.reduce((before, phone) => [add(phone, before, word)], after);
    /** Pronunciations share the states of their first phones. */
    const addWord = (after: readonly number[], said: Pronunciations): readonly number[] => {
      if (said.length === 1) return addPhones(after, said[0]!);
      return [...Map.groupBy(said, ([phone]) => phone)].flatMap(([phone, own]) => {
        const rests = own.map((phones) => phones.slice(1));
        return phone === undefined ? after : addWord([add(phone, after, word)], rests);
      });
    };
    const lasts = parts.reduce<readonly number[]>(
      (after, readings) => readings.flatMap((reading) => reading.reduce(addWord, after)),
      open,
    );
    if (lasts.every((last) => open.includes(last))) return;
    const pause = add(silence, lasts, null);
    anyEnds.push(...lasts, pause);
    open = [pause, ...lasts];
  });
  return { ...graph, ends: open.filter((state) => state !== opening), anyEnds };
}

/** The states of each word on a path, in order; [] for a word that is not on it. */
export function statesOfWords(
  path: readonly StateSpan[],
  graph: WordGraph,
  words: number,
): readonly (readonly StateSpan[])[] {
  const found = Array.from({ length: words }, (): StateSpan[] => []);
  for (const span of path) {
    const word = graph.words[span.state]!;
    if (word !== null) found[word]!.push(span);
  }
  return found;
}
