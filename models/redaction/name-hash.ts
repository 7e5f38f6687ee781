// Names as hashes: requests, histories and settings do not spell them. They are no secret: without
// a key in the hash, who guesses a name or goes through a list of names can tell which is meant.
import { hash } from 'node:crypto';
import { bare } from './tokens.ts';

/** Hexadecimal digits; two names of one list are equal with a probability of 2^-64. */
const hashLength = 16;

/** `COUNT:HASH` of each reading of a name, with its COUNT words; [] for a text without letters. */
export function nameHashes(name: string): readonly string[] {
  const words = name.split(/\s+/).filter((word) => foldedName(word) !== '');
  if (words.length === 0) return [];
  const readings = readingsOf(words).map((parts) => hashOf(parts.map(({ text }) => text)));
  return [...new Set(readings)];
}

/** @param words folded */
export function hashOf(words: readonly string[]): string {
  return `${words.length}:${hash('sha256', words.join(' ')).slice(0, hashLength)}`;
}

/** What follows a name in "Müller's", "Müller'll", "Müller'd" and "the Müllers'". */
const endings = /['’‘ʼ`´](?:s|ll|d|ve|re)?$/u;

/** Müller's, MULLER and Muller are one name. */
function foldedName(word: string): string {
  return bare(word)
    .replace(endings, '')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss');
}

/** A word, or a part of one. */
export interface NamePart {
  /** Folded. */
  readonly text: string;
  /** Index of its word. */
  readonly word: number;
  /** Of a word with parts: those of other words are the same in every reading. */
  readonly isJoined: boolean;
}

/** Between the parts of a name; "don't" is no Don. */
const joiners = /[-‐‑–]|['’‘ʼ`´](?!(?:t|m)$)/gu;

/**
 * Words as they are written, with the parts of "Jean-Pierre" and "O'Brien" each by itself, and with
 * these in one, as "OBrien". Names and transcripts are read alike.
 */
export function readingsOf(words: readonly string[]): readonly (readonly NamePart[])[] {
  const folded = words.map(foldedName);
  const read = (partsOf: (text: string) => readonly string[]): readonly NamePart[] =>
    folded.flatMap((text, word) => {
      const isJoined = text.search(joiners) >= 0;
      const parts = isJoined ? partsOf(text) : [text];
      return parts.map((part) => ({ text: part, word, isJoined }));
    });
  return [
    read((text) => [text]),
    read((text) => text.split(joiners).filter(Boolean)),
    read((text) => [text.replaceAll(joiners, '')]),
  ];
}
