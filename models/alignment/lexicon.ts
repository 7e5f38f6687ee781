// Pronunciations of the CMU dictionary, and British ones that it lacks.
import { join } from 'node:path';
import { britishPhones } from './british-english.ts';
import type { LexiconManifest } from '../bundles/manifest.ts';
import { ModelLoadingError } from '../bundles/manifests.ts';
import { readModelFile } from '../bundles/store.ts';

/** Phones of words, as indices into a list of ARPAbet names. */
export interface Lexicon {
  /** Every pronunciation of a lower-case word, the first one first; [] for an unknown word. */
  lookUp(word: string): readonly (readonly number[])[];
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
  const lines = indexLines(Buffer.from(await readModelFile(join(directory, dictionary))));
  const indices = new Map(phones.map((phone, index) => [phone, index]));
  return {
    lookUp(word) {
      const found: string[] = [];
      for (let line = lines(word); line !== null; line = lines(`${word}(${found.length + 1})`)) {
        found.push(plainPhones(line));
      }
      const all = new Set([...found, ...britishPhones(word, found)]);
      return [...all]
        .map((line) => line.split(' ').flatMap((phone) => indices.get(phone) ?? []))
        .filter((own) => own.length > 0);
    },
  };
}

/** Slots of the table as a power of two: four for each of the 135,000 words. */
const slotBits = 19;
const [newline, space] = [0x0a, 0x20];

/**
 * Finds lines by their first word, in a table with open addressing over the bytes of the file: a
 * map of strings takes five times its size, in each process.
 * @returns what follows the word in its line, or null; of several lines the last one counts
 */
function indexLines(text: Buffer): (word: string) => string | null {
  /** Position of a line plus one; 0 is an empty slot. */
  const table = new Uint32Array(2 ** slotBits);
  const slotOf = (word: Buffer): number => {
    let slot = hash(word);
    for (; ; slot = (slot + 1) % table.length) {
      const start = table[slot]! - 1;
      const end = start + word.length;
      if (start < 0 || (text[end] === space && word.equals(text.subarray(start, end)))) return slot;
    }
  };
  for (let start = 0, words = 0; start < text.length;) {
    const next = text.indexOf(newline, start);
    const end = next < 0 ? text.length : next;
    const wordEnd = text.indexOf(space, start);
    if (wordEnd > start && wordEnd < end) {
      const slot = slotOf(text.subarray(start, wordEnd));
      if (table[slot] === 0 && (words += 1) > table.length / 2) {
        throw new ModelLoadingError(`the dictionary has more than ${table.length / 2} words`);
      }
      table[slot] = start + 1;
    }
    start = end + 1;
  }
  return (word) => {
    const bytes = Buffer.from(word);
    const start = table[slotOf(bytes)]! - 1;
    if (start < 0) return null;
    const end = text.indexOf(newline, start);
    return text.toString('latin1', start + bytes.length + 1, end < 0 ? text.length : end);
  };
}

/** FNV-1a (Fowler, Noll and Vo 1991), folded to the size of the table. */
function hash(bytes: Buffer): number {
  let value = 0x811c9dc5;
  for (const byte of bytes) value = Math.imul(value ^ byte, 0x01000193);
  return ((value >>> slotBits) ^ value) & (2 ** slotBits - 1);
}

/** Without stress and comment. */
function plainPhones(line: string): string {
  const [written = ''] = line.split('#');
  return written
    .trim()
    .replaceAll(/[012]\b/g, '')
    .replaceAll(/\s+/g, ' ');
}
