// Where a term of a request may have been spoken: recognised words that sound alike; pure.
import { soundDistance, soundsOf } from './sound-distance.ts';

/** A term in the place of neighbouring words. */
export interface Candidate {
  /** Indices of words; the end is exclusive. */
  readonly first: number;
  readonly end: number;
  /** The term as it is written, with the marks around the words that it replaces. */
  readonly written: string;
  /** Of the sounds of the term from those of the words: 0 to `maxDistance`. */
  readonly distance: number;
}

/** Beyond it hardly any term had been spoken (docs/adr/0059). */
const maxDistance = 0.45;
/** The recogniser scores so many of a chunk, each at the cost of decoding it once more. */
const minCandidates = 8;
const wordsPerCandidate = 4;
/** A term may have been recognised as one word less or more than it has. */
const extraWords = 1;

/** @returns the most alike first; none in the place of a word that belongs to a term already */
export function findCandidates(
  words: readonly string[],
  terms: readonly string[],
): readonly Candidate[] {
  const isTaken = wordsOfTerms(
    words.map((word) => partsOf(word).bare),
    terms,
  );
  const known = terms.map((term) => ({
    term,
    sounds: soundsOf(term),
    count: wordsOf(term).length,
  }));
  const longest = Math.max(...known.map(({ count }) => count)) + extraWords;
  const found: Candidate[] = [];
  for (let first = 0; first < words.length; first += 1) {
    const last = Math.min(words.length, first + longest);
    for (let end = first + 1; end <= last && !isTaken[end - 1]; end += 1) {
      const fitting = known.filter(({ count }) => Math.abs(count - (end - first)) <= extraWords);
      const span = partsOf(words.slice(first, end).join(' '));
      const sounds = soundsOf(span.own);
      for (const each of fitting) {
        const distance = soundDistance(sounds, each.sounds);
        if (distance > maxDistance) continue;
        found.push({ first, end, distance, written: span.before + each.term + span.after });
      }
    }
  }
  return found.sort((a, b) => a.distance - b.distance).slice(0, mostCandidates(words.length));
}

export function mostCandidates(words: number): number {
  return Math.max(minCandidates, Math.ceil(words / wordsPerCandidate));
}

/** @returns for each word whether it is one of a whole term */
function wordsOfTerms(bare: readonly string[], terms: readonly string[]): readonly boolean[] {
  const taken = bare.map(() => false);
  for (const term of terms.map((each) => wordsOf(each).map(bareOf))) {
    for (let first = 0; first + term.length <= bare.length; first += 1) {
      if (term.every((word, i) => bare[first + i] === word)) {
        taken.fill(true, first, first + term.length);
      }
    }
  }
  return taken;
}

function wordsOf(term: string): readonly string[] {
  return term.split(/\s+/);
}

function bareOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Words without the marks around them, and without a possessive at their end. */
function partsOf(text: string) {
  const [, before = '', own = '', after = ''] =
    /^([^\p{L}\p{N}]*)(.*?)((?:['’]s)?[^\p{L}\p{N}]*)$/u.exec(text) ?? [];
  return { before, own, after, bare: bareOf(own) };
}
