// Pronunciations of the CMU dictionary.
import { join } from 'node:path';
import type { LexiconManifest } from '../bundles/manifest.ts';
import { readModelFile } from '../bundles/store.ts';

/** Phones of words, as indices into a list of ARPAbet names. */
export interface Lexicon {
  /** Phones of a lower-case word of the dictionary, or null. */
  lookUp(word: string): readonly number[] | null;
}

/**
 * Reads a dictionary in CMU's format: a word, then its phones with stress digits; `word(2)` is an
 * alternative pronunciation, and `#` starts a comment.
 * @param phones ARPAbet names without stress, in the order of the aligner's classes
 */
export async function loadLexicon(
  directory: string,
  { dictionary }: LexiconManifest,
  phones: readonly string[],
): Promise<Lexicon> {
  const text = Buffer.from(await readModelFile(join(directory, dictionary))).toString('latin1');
  const indices = new Map(phones.map((phone, index) => [phone, index]));
  // Lines are parsed on demand: parsing all of them would take most of the start-up time.
  const lines = new Map<string, string>();
  for (const line of text.split('\n')) {
    const space = line.indexOf(' ');
    if (space > 0) lines.set(line.slice(0, space), line.slice(space + 1));
  }
  return {
    lookUp(word) {
      const line = lines.get(word);
      return line === undefined ? null : parsePhones(line, indices);
    },
  };
}

function parsePhones(line: string, indices: ReadonlyMap<string, number>): readonly number[] {
  const [written = ''] = line.split('#');
  return written
    .trim()
    .split(/\s+/)
    .flatMap((symbol) => indices.get(symbol.replace(/[012]$/, '')) ?? []);
}
