// Names as hashes: requests, histories and settings do not spell them. They are no secret: without
// a key in the hash, who guesses a name or goes through a list of names can tell which is meant.
import { createHash } from 'node:crypto';
import { bare } from './tokens.ts';

/** Hexadecimal digits; two names of one list are equal with a probability of 2^-64. */
const hashLength = 16;

/** `COUNT:HASH` of a name of COUNT words; null for a text without letters. */
export function nameHash(name: string): string | null {
  const words = name.split(/\s+/).map(foldedName).filter(Boolean);
  return words.length === 0 ? null : hashOf(words);
}

/** @param words folded */
export function hashOf(words: readonly string[]): string {
  const hash = createHash('sha256').update(words.join(' ')).digest('hex');
  return `${words.length}:${hash.slice(0, hashLength)}`;
}

/** Müller's, MULLER and Muller are one name. */
export function foldedName(word: string): string {
  return bare(word)
    .replace(/['’]s?$/, '')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss');
}
