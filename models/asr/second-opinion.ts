// Whether English words are recognised again by a larger model, and which reading is kept; pure.
import { bareWord, type Word } from './transcript.ts';

/** Below this confidence of one of its words a chunk is recognised again (docs/adr/0057). */
const unsureBelow = 0.6;
/** Of every word where the first model hears none: music and noise are no words. */
const leastWithoutFirst = 0.5;
/** A reading of more words is not given up because the other model hears no speech. */
const fewWords = 3;
/** Fewer words are repeated in ordinary speech: "no, no", "thank you, thank you". */
const minRepeatedWords = 3;

/** True if a second opinion on the words is worth its time: of one that is unsure, or of none. */
export function isUnsure(words: readonly Word[]): boolean {
  return (
    words.length === 0 ||
    words.some(({ confidence }) => confidence !== null && confidence < unsureBelow)
  );
}

/** True if the second reading replaces the first; each is [] where no speech is heard. */
export function isSecondPreferred(first: readonly Word[], second: readonly Word[]): boolean {
  if (second.length === 0) return first.length <= fewWords;
  if (first.length === 0) return second.every(({ confidence }) => confidence! >= leastWithoutFirst);
  // Whisper writes the last sentence of a chunk twice at times; somebody who says it twice is
  // heard by both.
  return repeatedWords(second) <= repeatedWords(first);
}

/** The number of words in phrases that repeat the phrase before them. */
function repeatedWords(words: readonly Pick<Word, 'word'>[]): number {
  const bare = words.map(({ word }) => bareWord(word));
  let repeated = 0;
  for (let end = 2 * minRepeatedWords; end <= bare.length; end += 1) {
    const longest = Math.floor(end / 2);
    for (let length = longest; length >= minRepeatedWords; length -= 1) {
      if (!repeatsBefore(bare, end, length)) continue;
      repeated += length;
      break;
    }
  }
  return repeated;
}

/** True if the `length` words before `end` are the `length` words before them. */
function repeatsBefore(words: readonly string[], end: number, length: number): boolean {
  for (let i = end - length; i < end; i += 1) if (words[i] !== words[i - length]) return false;
  return true;
}
